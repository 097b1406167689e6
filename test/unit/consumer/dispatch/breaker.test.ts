import { describe, expect, it } from '@jest/globals';
import { Breaker, type Verdict } from '../../../../lib/consumer/dispatch/breaker.ts';
import type { FailureKind } from '../../../../lib/consumer/targets/failure.ts';

function openBreaker(refusalLimit = 20) {
  const rests: number[] = [];
  const verdicts: Verdict[] = [];
  const breaker = new Breaker<string>(refusalLimit, {
    decided: (failures, verdict) => failures.forEach(() => verdicts.push(verdict)),
    opened: (restMs) => rests.push(restMs),
  });
  const fail = (kind: FailureKind, isFresh = true) => {
    breaker.begin(isFresh);
    breaker.failed({ item: 'entry', kind, isFresh, retryAfterMs: 0 });
    breaker.ended(isFresh);
  };
  const succeed = () => {
    const begunAs = breaker.begin(true);
    breaker.succeeded(begunAs);
    breaker.ended(true);
  };
  return { breaker, rests, verdicts, fail, succeed };
}

describe('the breaker', () => {
  it('opens after five fresh keys that failed in a row and a failed probe, longer each time', () => {
    const { breaker, rests, fail } = openBreaker();
    for (let key = 0; key < 5; key++) fail('outage');
    for (let probe = 0; probe < 3; probe++) {
      expect(breaker.places(10)).toBeGreaterThan(0);
      fail('outage');
    }

    expect(rests).toEqual([1000, 2000, 4000]);
    expect(breaker.level).toBe(3);
  });

  it('does not raise its level for keys that are known to fail', () => {
    const { breaker, rests, fail } = openBreaker();
    for (let key = 0; key < 5; key++) fail('outage');
    for (let probe = 0; probe < 4; probe++) {
      breaker.places(10);
      fail('outage', false);
    }

    expect(breaker.level).toBe(1);
    expect(rests).toEqual([1000, 1000, 1000, 1000]);
  });

  it('is never in doubt for failures of keys that are known to fail', () => {
    const { breaker, fail } = openBreaker();
    for (let attempt = 0; attempt < 100; attempt++) fail(attempt % 2 ? 'permanent' : 'outage', false);

    expect(breaker.mode).toBe('closed');
  });

  it('leaves a place to a fresh key while a known one is probed', () => {
    const { breaker, fail } = openBreaker();
    for (let key = 0; key < 5; key++) fail('outage');
    expect(breaker.places(10)).toBe(1);
    breaker.begin(false);

    expect(breaker.places(10)).toBe(1);
    expect(breaker.mayProbeKnown).toBe(false);
  });

  it('closes with the first success, and blames the entries that failed before it', () => {
    const { breaker, verdicts, fail, succeed } = openBreaker();
    for (let key = 0; key < 4; key++) fail('own');
    succeed();

    expect(verdicts).toEqual(['entry', 'entry', 'entry', 'entry']);
    expect([breaker.mode, breaker.level]).toEqual(['closed', 0]);
  });
});
