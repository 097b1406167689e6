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
  it('the breaker opens after five fresh keys in a row and a probe fail, for longer each time', () => {
    const { breaker, rests, fail } = openBreaker();
    for (let key = 0; key < 5; key++) fail('outage');
    for (let probe = 0; probe < 3; probe++) {
      expect(breaker.freeSlots(10)).toBeGreaterThan(0);
      fail('outage');
    }

    expect(rests).toEqual([1000, 2000, 4000]);
    expect(breaker.level).toBe(3);
  });

  it('the breaker does not raise its level for known failing keys', () => {
    const { breaker, rests, fail } = openBreaker();
    for (let key = 0; key < 5; key++) fail('outage');
    for (let probe = 0; probe < 4; probe++) {
      breaker.freeSlots(10);
      fail('outage', false);
    }

    expect(breaker.level).toBe(1);
    expect(rests).toEqual([1000, 1000, 1000, 1000]);
  });

  it('failures of known failing keys never put the breaker in doubt', () => {
    const { breaker, fail } = openBreaker();
    for (let attempt = 0; attempt < 100; attempt++) fail(attempt % 2 ? 'permanent' : 'outage', false);

    expect(breaker.mode).toBe('closed');
  });

  it('the breaker is in doubt after refusalLimit refused fresh keys, and never if it is 0', () => {
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

  it("a success resets the breaker's count of failures in a row", () => {
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

  it('the breaker probes with 1, 2, 4, … fresh keys in total, as slots become free', () => {
    const { breaker } = openBreaker();
    breaker.remember(3);

    expect([breaker.freeSlots(3), breaker.freeSlots(10)]).toEqual([3, 4]);
    const left = [1, 2, 3, 4].map(() => (breaker.begin(true), breaker.freeSlots(10)));
    expect(left).toEqual([3, 2, 1, 0]);
  });

  it('the breaker keeps a slot for a fresh key while it probes a failing one', () => {
    const { breaker, fail } = openBreaker();
    for (let key = 0; key < 5; key++) fail('outage');
    expect([breaker.freeSlots(10), breaker.mayProbeKnown]).toEqual([1, true]);
    breaker.begin(false);

    expect([breaker.freeSlots(10), breaker.mayProbeKnown]).toEqual([1, false]);
  });

  it('the breaker waits for its last probe before it opens', () => {
    const { breaker, rests, fail, failed } = openBreaker();
    breaker.remember(1);
    breaker.begin(true);
    fail('outage', false);
    expect(rests).toEqual([]);
    failed('outage');
    breaker.ended(true);

    expect(rests).toEqual([2000]);
  });

  it('a probe that never reached the target is replaced by another', () => {
    const { breaker, rests, fail } = openBreaker();
    for (let key = 0; key < 5; key++) fail('outage');
    breaker.freeSlots(10);
    breaker.begin(true);
    breaker.ended(true);

    expect([rests, breaker.freeSlots(10)]).toEqual([[], 1]);
  });

  it('the breaker opens for at most a minute, for 15 minutes after refusals, or as long as the target asks', () => {
    for (const [kinds, retryAfterMs, restMs, isRefused] of [
      [['outage', 'own'], 0, 60_000, false],
      [['refusal', 'outage'], 0, 60_000, false],
      [['refusal', 'permanent'], 0, 900_000, true],
      [['outage', 'outage'], 70_000, 70_000, false],
    ] as const) {
      const { breaker, rests, refused, failed } = openBreaker();
      breaker.remember(20);
      kinds.forEach(() => breaker.begin(true));
      kinds.forEach((kind, index) => failed(kind, true, { retryAfterMs: index === 0 ? retryAfterMs : 0 }));
      kinds.forEach(() => breaker.ended(true));

      expect([rests, refused]).toEqual([[restMs], [isRefused]]);
    }
  });

  it('the breaker keeps a higher level from earlier runs until its first success', () => {
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

  it('a breaker in doubt that takes over a level still waits for attempts in flight', () => {
    const { breaker, fail } = openBreaker();
    breaker.begin(true);
    for (let key = 0; key < 5; key++) fail('outage');
    breaker.remember(2);

    expect(breaker.freeSlots(10)).toBe(0);
    breaker.ended(true);
    expect(breaker.freeSlots(10)).toBe(2);
  });

  it('the breaker closes at the first success and blames the entries that failed before it', () => {
    const { breaker, verdicts, fail, succeed } = openBreaker();
    for (let key = 0; key < 4; key++) fail('own');
    succeed();

    expect(verdicts).toEqual(Array(4).fill('entry: entry'));
    expect([breaker.mode, breaker.level]).toEqual(['closed', 0]);
  });

  it('the breaker blames an entry once, and only for a success that began after the entry failed', () => {
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

  it('the breaker closes when a probe succeeds, even if another probe failed', () => {
    const { breaker, rests, verdicts, failed, fail } = openBreaker();
    breaker.remember(2);
    const [, good] = [breaker.begin(true), breaker.begin(true)];
    failed('outage');
    breaker.ended(true);
    breaker.succeeded(good);
    breaker.ended(true);

    expect([breaker.mode, breaker.level, rests, verdicts]).toEqual(['closed', 0, [], []]);
    for (let key = 0; key < 4; key++) fail('outage');
    expect([breaker.mode, breaker.freeSlots(10)]).toEqual(['doubt', 1]);
  });

  it('the breaker leaves the oldest of more than 1,000 failures undecided for good', () => {
    const { verdicts, fail, succeed } = openBreaker();
    for (let n = 1; n <= 1000; n++) fail('own', false, `${n}`);
    expect(verdicts).toEqual([]);
    fail('own', false, '1001');
    expect(verdicts).toEqual(Array.from({ length: 100 }, (_, index) => `${index + 1}: unknown`));
    succeed();

    expect(verdicts).toHaveLength(1001);
    expect([verdicts[100], verdicts[1000]]).toEqual(['101: entry', '1001: entry']);
  });

  it('the breaker can leave some failures undecided for good and decide the others later', () => {
    const { breaker, verdicts, fail, succeed } = openBreaker();
    fail('own', true, 'spent');
    fail('own', true, 'other');
    breaker.decide(({ item }) => item === 'spent');
    expect(verdicts).toEqual(['spent: unknown']);
    succeed();

    expect(verdicts).toEqual(['spent: unknown', 'other: entry']);
  });
});
