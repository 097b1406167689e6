import { describe, expect, it } from '@jest/globals';
import { Breaker } from '#lib/consumer/dispatch/breaker.ts';
import type { FailureKind } from '#lib/consumer/targets/failure.ts';

function openBreaker(refusalLimit = 20) {
  const rests: number[] = [];
  const refused: boolean[] = [];
  const verdicts: string[] = [];
  const breaker = new Breaker<string>(refusalLimit, {
    decided: (failures, verdict) => failures.forEach(({ item }) => verdicts.push(`${item}: ${verdict}`)),
    opened: (restMs, isRefused) => {
      rests.push(restMs);
      refused.push(isRefused);
    },
  });
  /** The result of an attempt that began is a failure. */
  const failed = (kind: FailureKind, isFresh = true, { item = 'entry', retryAfterMs = 0 } = {}) =>
    breaker.failed({ item, kind, isFresh, retryAfterMs });
  const fail = (kind: FailureKind, isFresh = true, item = 'entry') => {
    breaker.begin(isFresh);
    failed(kind, isFresh, { item });
    breaker.ended(isFresh);
  };
  const succeed = () => {
    const begunAs = breaker.begin(true);
    breaker.succeeded(begunAs);
    breaker.ended(true);
  };
  return { breaker, rests, refused, verdicts, failed, fail, succeed };
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

  it('is in doubt after as many refused fresh keys as the limit says, and never where it is 0', () => {
    for (const kind of ['refusal', 'permanent'] as const) {
      const { breaker, fail } = openBreaker(3);
      const unlimited = openBreaker(0);
      for (let key = 0; key < 2; key++) fail(kind);
      for (let key = 0; key < 50; key++) unlimited.fail(kind);

      expect([breaker.mode, unlimited.breaker.mode]).toEqual(['closed', 'closed']);
      fail(kind);
      expect(breaker.mode).toBe('doubt');
    }
  });

  it('counts anew after a success, whatever failed before', () => {
    for (const [kind, isFresh] of [
      ['own', true],
      ['own', false],
      ['refusal', true],
      ['refusal', false],
    ] as const) {
      const inDoubtAfter = (next: FailureKind) => {
        const { breaker, fail, succeed } = openBreaker(3);
        for (let key = 0; key < 2; key++) fail(kind, isFresh);
        succeed();
        let failures = 0;
        for (; breaker.mode === 'closed'; failures++) fail(next);
        return failures;
      };

      expect([inDoubtAfter('own'), inDoubtAfter('refusal')]).toEqual([5, 3]);
    }
  });

  it('probes with 1, 2, 4, … fresh keys in all, as far as there are places', () => {
    const { breaker } = openBreaker();
    breaker.remember(3);

    expect([breaker.places(3), breaker.places(10)]).toEqual([3, 4]);
    const left = [1, 2, 3, 4].map(() => (breaker.begin(true), breaker.places(10)));
    expect(left).toEqual([3, 2, 1, 0]);
  });

  it('leaves a place to a fresh key while a known one is probed', () => {
    const { breaker, fail } = openBreaker();
    for (let key = 0; key < 5; key++) fail('outage');
    expect([breaker.places(10), breaker.mayProbeKnown]).toEqual([1, true]);
    breaker.begin(false);

    expect([breaker.places(10), breaker.mayProbeKnown]).toEqual([1, false]);
  });

  it('waits for the last probe before it opens', () => {
    const { breaker, rests, fail, failed } = openBreaker();
    breaker.remember(1);
    breaker.begin(true);
    fail('outage', false);
    expect(rests).toEqual([]);
    failed('outage');
    breaker.ended(true);

    expect(rests).toEqual([2000]);
  });

  it('learns nothing from a probe that never reached the target, and starts another', () => {
    const { breaker, rests, fail } = openBreaker();
    for (let key = 0; key < 5; key++) fail('outage');
    breaker.places(10);
    breaker.begin(true);
    breaker.ended(true);

    expect([rests, breaker.places(10)]).toEqual([[], 1]);
  });

  it('opens for a minute at most, for a quarter of an hour where it was only refused, and as long as it is asked to', () => {
    for (const [kinds, retryAfterMs, restMs, isRefused] of [
      [['outage', 'own'], 0, 60_000, false],
      [['refusal', 'outage'], 0, 60_000, false],
      [['refusal', 'permanent'], 0, 900_000, true],
      [['outage', 'outage'], 70_000, 70_000, false],
    ] as const) {
      const { breaker, rests, refused, failed } = openBreaker();
      breaker.remember(20);
      kinds.forEach(() => breaker.begin(true));
      kinds.forEach((kind, at) => failed(kind, true, { retryAfterMs: at === 0 ? retryAfterMs : 0 }));
      kinds.forEach(() => breaker.ended(true));

      expect([rests, refused]).toEqual([[restMs], [isRefused]]);
    }
  });

  it('takes over a higher level of earlier runs, until it has seen a success itself', () => {
    const { breaker, succeed } = openBreaker();
    const state = () => [breaker.mode, breaker.level];
    breaker.remember(0);
    expect(state()).toEqual(['closed', 0]);
    breaker.remember(2);
    breaker.remember(1);
    expect(state()).toEqual(['half', 2]);
    succeed();
    breaker.remember(5);
    expect(state()).toEqual(['closed', 0]);
  });

  it('still waits for what is in flight where it takes over a level in doubt', () => {
    const { breaker, fail } = openBreaker();
    breaker.begin(true);
    for (let key = 0; key < 5; key++) fail('outage');
    breaker.remember(2);

    expect(breaker.places(10)).toBe(0);
    breaker.ended(true);
    expect(breaker.places(10)).toBe(2);
  });

  it('closes with the first success, and blames the entries that failed before it', () => {
    const { breaker, verdicts, fail, succeed } = openBreaker();
    for (let key = 0; key < 4; key++) fail('own');
    succeed();

    expect(verdicts).toEqual(Array(4).fill('entry: entry'));
    expect([breaker.mode, breaker.level]).toEqual(['closed', 0]);
  });

  it('blames an entry once, and only where the success began after it failed', () => {
    const { breaker, verdicts, failed, succeed } = openBreaker();
    breaker.begin(true);
    const early = breaker.begin(true);
    failed('own', true, { item: 'first' });
    const late = breaker.begin(true);
    failed('own', true, { item: 'second' });

    breaker.succeeded(early);
    expect(verdicts).toEqual([]);
    breaker.succeeded(late);
    expect(verdicts).toEqual(['first: entry']);
    succeed();
    succeed();
    expect(verdicts).toEqual(['first: entry', 'second: entry']);
  });

  it('closes with a probe that succeeds, even if another failed meanwhile, and forgets both as probes', () => {
    const { breaker, rests, verdicts, failed, fail } = openBreaker();
    breaker.remember(2);
    const [, good] = [breaker.begin(true), breaker.begin(true)];
    failed('outage');
    breaker.ended(true);
    breaker.succeeded(good);
    breaker.ended(true);

    expect([breaker.mode, breaker.level, rests, verdicts]).toEqual(['closed', 0, [], []]);
    for (let key = 0; key < 4; key++) fail('outage');
    expect([breaker.mode, breaker.places(10)]).toEqual(['doubt', 1]);
  });

  it('gives up on the oldest of more than a thousand undecided failures', () => {
    const { verdicts, fail, succeed } = openBreaker();
    for (let n = 1; n <= 1000; n++) fail('own', false, `${n}`);
    expect(verdicts).toEqual([]);
    fail('own', false, '1001');
    expect(verdicts).toEqual(Array.from({ length: 100 }, (_, at) => `${at + 1}: unknown`));
    succeed();

    expect(verdicts).toHaveLength(1001);
    expect([verdicts[100], verdicts[1000]]).toEqual(['101: entry', '1001: entry']);
  });

  it('gives up on the failures that are meant, and decides the others later', () => {
    const { breaker, verdicts, fail, succeed } = openBreaker();
    fail('own', true, 'spent');
    fail('own', true, 'other');
    breaker.decide(({ item }) => item === 'spent');
    expect(verdicts).toEqual(['spent: unknown']);
    succeed();

    expect(verdicts).toEqual(['spent: unknown', 'other: entry']);
  });
});
