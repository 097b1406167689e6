import { describe, expect, it } from '@jest/globals';
import fc from '#test/support/fast-check.ts';
import type { Attempt } from '#lib/consumer/dispatch/attempt.ts';
import { MAX_BATCH_BYTES } from '#lib/consumer/dispatch/batch.ts';
import { Dispatcher } from '#lib/consumer/dispatch/dispatcher.ts';
import { PART } from '#lib/consumer/dispatch/fairness.ts';
import type { Settings } from '#lib/consumer/settings.ts';
import type { Failure, FailureKind } from '#lib/consumer/targets/failure.ts';
import type { Target } from '#lib/consumer/targets/target.ts';
import { HOT_FROM } from '#lib/consumer/window/key-order.ts';
import { createLog } from '#lib/core/log.ts';
import { SETTINGS, MemoryShard, StandingClock } from '#test/support/consumer/memory-shard.ts';

const log = createLog('error', {}, () => {});
const failure = (kind: FailureKind, more: Partial<Failure> = {}): Failure => {
  return { kind, type: 'TEST', message: 'as planned', ...more };
};

/** A dispatcher over shards whose server answers at once. */
function open({
  batch,
  keyFields = ['k'],
  timeoutKind,
  ...more
}: Partial<Settings> & { batch?: number; keyFields?: string[]; timeoutKind?: 'own' | undefined } = {}) {
  const clock = new StandingClock();
  const settings: Settings = { ...SETTINGS, ...more };
  const target = { keyFields, batch: batch && { size: batch }, timeoutKind } as unknown as Target;
  const dispatcher = new Dispatcher<MemoryShard>({ settings, target, clock, log });
  const shard = new MemoryShard(clock, settings, { keyFields });
  const idsOf = ({ entries }: Attempt) => entries.map(({ id }) => parseInt(id));
  /** Lets time pass, and all that can be asked and reported be so. */
  const pass = (ms = 0) => {
    clock.nowMs += ms;
    shard.exchange({ isCalm: dispatcher.isCalm });
  };
  const next = () => dispatcher.next([shard], clock.nowMs);
  const startAll = () => {
    const attempts: Attempt<MemoryShard>[] = [];
    for (let attempt = next(); attempt; attempt = next()) attempts.push(attempt);
    return attempts;
  };
  const fail = (kind: FailureKind, more?: Partial<Failure>) => dispatcher.failed(next()!, failure(kind, more));
  const succeed = () => dispatcher.succeeded(next()!, undefined);
  /** Another shard of the same run. */
  const another = () => new MemoryShard(clock, settings, { stream: 'other' });
  return { clock, dispatcher, shard, another, next, startAll, idsOf, pass, fail, succeed };
}

describe('any target', () => {
  const kinds = ['invalid', 'permanent', 'refusal', 'own', 'outage'] as const;
  const event = fc.oneof(
    { weight: 5, arbitrary: fc.constant('start' as const) },
    { weight: 3, arbitrary: fc.record({ succeed: fc.nat(9) }) },
    { weight: 2, arbitrary: fc.record({ fail: fc.nat(9), kind: fc.constantFrom(...kinds) }) },
    { weight: 2, arbitrary: fc.record({ pass: fc.integer({ min: 1, max: 5000 }) }) },
    { weight: 1, arbitrary: fc.constant('give up' as const) },
  );

  it('attempts keep the order of their keys, stay within the free slots, and finish each entry once', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), { minLength: 1, maxLength: 40 }),
        fc.array(event, { maxLength: 120 }),
        fc.integer({ min: 1, max: 6 }),
        (keys, events, concurrency) => {
          const { clock, dispatcher, shard, next, pass } = open({ concurrency });
          shard.read(...keys.map((key, index) => [index + 1, key] as const));
          const inFlight: Attempt<MemoryShard>[] = [];
          const last = new Map<string, number>();
          const start = () => {
            const attempt = next();
            if (!attempt) return;
            const [{ id, keyQueue, dueAt }] = attempt.entries;
            expect(inFlight.some(({ entries }) => entries[0].keyQueue === keyQueue)).toBe(false);
            expect(last.get(keyQueue.key) ?? 0).toBeLessThanOrEqual(parseInt(id));
            expect(Math.max(dueAt, dispatcher.rest.until)).toBeLessThanOrEqual(clock.nowMs);
            last.set(keyQueue.key, parseInt(id));
            inFlight.push(attempt);
            expect(inFlight.length).toBeLessThanOrEqual(concurrency);
          };
          const takeAt = (at: number) => inFlight.splice(at % (inFlight.length || 1), 1);
          const giveUp = () => {
            dispatcher.giveUp(shard);
            // late results must change nothing
            expect(inFlight.some((attempt) => dispatcher.isInFlight(attempt))).toBe(false);
            inFlight.length = 0;
          };
          const drain = () => {
            for (let rounds = 0; shard.window.keys.size > 0; rounds++) {
              pass(5000);
              start();
              for (const attempt of inFlight.splice(0)) dispatcher.succeeded(attempt, new Set());
              if (dispatcher.inFlight === 0) dispatcher.decideSpent();
              expect(rounds).toBeLessThan(2000);
            }
          };
          for (const event of events) {
            if (event === 'start') start();
            else if (event === 'give up') giveUp();
            else if ('pass' in event) pass(event.pass);
            else if ('fail' in event) {
              for (const attempt of takeAt(event.fail)) dispatcher.failed(attempt, failure(event.kind));
            } else for (const attempt of takeAt(event.succeed)) dispatcher.succeeded(attempt, new Set());
            expect([dispatcher.inFlight, shard.window.inFlight]).toEqual([inFlight.length, inFlight.length]);
          }
          drain();
          const { processed, deadLettered, failed } = shard.counts;
          expect({ ended: processed + deadLettered, letters: deadLettered, failed: failed >= 0 }).toEqual({
            ended: keys.length,
            letters: shard.letters.length,
            failed: true,
          });
          expect(shard.budget.used).toBe(0);
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe('fairness', () => {
  it('failing keys get a fifth of the slot time while others are ready, otherwise all of it', () => {
    const { dispatcher, shard, startAll, idsOf, pass, clock } = open({
      concurrency: 10,
      maxDeliveries: 1000,
      backoffMs: 1,
    });
    for (let n = 1; n < 100; n++) shard.listPending(n, `bad-${n}`, { entryFailures: 1 });
    const slotMs = { bad: 0, good: 0 };
    for (let index = 99, inFlight: [number, Attempt<MemoryShard>][] = []; clock.nowMs < 60_000;) {
      while (shard.window.keys.ready.fresh.size < 20) shard.read([++index, `good-${index}`]);
      inFlight.push(
        ...startAll().map((attempt): [number, Attempt<MemoryShard>] => [
          clock.nowMs + (idsOf(attempt)[0]! < 100 ? 700 : 100),
          attempt,
        ]),
      );
      pass(50);
      for (const [, attempt] of inFlight.filter(([until]) => until <= clock.nowMs)) {
        const isBad = idsOf(attempt)[0]! < 100;
        slotMs[isBad ? 'bad' : 'good'] += clock.nowMs - attempt.startedAt;
        if (isBad) dispatcher.failed(attempt, failure('own'));
        else dispatcher.succeeded(attempt, new Set());
      }
      inFlight = inFlight.filter(([until]) => until > clock.nowMs);
    }
    const share = slotMs.bad / (slotMs.bad + slotMs.good);

    expect(share).toBeGreaterThan(0.1);
    expect(share).toBeLessThan(0.22);
  });

  it('a slot stays free for fresh keys, no matter how many fail', () => {
    const { shard, startAll, pass } = open({ concurrency: 4 });
    for (let n = 1; n <= 8; n++) shard.listPending(n, `bad-${n}`, { entryFailures: 1 });
    pass();

    expect(startAll()).toHaveLength(3);
  });

  it('the first shard is served first', () => {
    const { dispatcher, shard, another } = open();
    const other = another();
    shard.read([1, 'a']);
    other.read([1, 'a']);

    expect(dispatcher.next([other, shard], 0)!.source).toBe(other);
    expect(dispatcher.next([other, shard], 0)!.source).toBe(shard);
    expect(dispatcher.next([other, shard], 0)).toBeUndefined();
  });

  it('failing heads are loaded for all free slots, or within their share while others are ready', () => {
    const { clock, dispatcher, shard, another, next, pass } = open({ concurrency: 5 });
    const other = another();
    const wanted = () => dispatcher.failingWanted([shard, other], clock.nowMs);
    expect(wanted()).toBe(5);
    shard.listPending(1, 'a', { entryFailures: 1 });
    pass();
    expect(wanted()).toBe(4);
    other.read([2, 'b']);
    expect(wanted()).toBe(0);
    next();
    expect(wanted()).toBe(0);
    dispatcher.giveUp(shard);
    expect(wanted()).toBe(1);
  });
});

describe('a suspect', () => {
  it('a suspect is tried only while nothing else is in flight, and nothing else starts until it ends', () => {
    const { clock, dispatcher, shard, next, idsOf, succeed, pass } = open();
    shard.read([2, 'b']);
    const before = next()!;
    shard.listPending(1, 'a', { unconfirmedDeliveries: 3 });
    shard.read([3, 'c']);

    expect(next()).toBeUndefined();
    dispatcher.succeeded(before, new Set());
    expect(next()).toBeUndefined(); // what is sent would take its mark away
    pass();
    const attempt = next()!;
    expect([idsOf(attempt), attempt.isIsolated]).toEqual([[1], true]);
    expect(next()).toBeUndefined();
    dispatcher.succeeded(attempt, new Set());
    pass(clock.nowMs);
    succeed();
    pass();
    expect(shard.counts.processed).toBe(3);
  });

  it('a suspect that crashed three runs becomes a dead letter without another attempt', () => {
    const { shard, next, pass } = open();
    shard.listPending(1, 'a', { unconfirmedDeliveries: 3, crashes: 3 });

    expect(next()).toBeUndefined();
    pass();
    expect(shard.letters).toMatchObject([{ id: '1-0', errorType: 'CONNECTOR:CRASH' }]);
  });

  it('a suspect is tried as soon as the attempts in flight end, regardless of its share and of other heads', () => {
    const { clock, dispatcher, shard, next, idsOf, pass } = open({ concurrency: 10 });
    shard.listPending(1, 'bad', { entryFailures: 1 });
    pass();
    const failing = next()!;
    shard.listPending(2, 'a', { unconfirmedDeliveries: 3 });
    shard.read([3, 'b']);
    expect(next()).toBeUndefined();
    clock.nowMs = 1000;
    dispatcher.failed(failing, failure('own'));
    pass();

    expect(idsOf(next()!)).toEqual([2]);
  });

  it('other heads go before a suspect once failing ones have used up their share', () => {
    const { clock, dispatcher, shard, next, idsOf, pass } = open({ concurrency: 5 });
    shard.listPending(1, 'bad', { entryFailures: 1 });
    pass();
    const failing = next()!;
    clock.nowMs = 1000;
    dispatcher.failed(failing, failure('own'));
    shard.listPending(2, 'a', { unconfirmedDeliveries: 3 });
    shard.read([3, 'b']);
    pass();

    const other = next()!;
    expect([idsOf(other), other.isIsolated]).toEqual([[3], false]);
    dispatcher.succeeded(other, undefined);
    pass();
    expect(idsOf(next()!)).toEqual([2]);
  });

  it('other heads go before a suspect while the target is probed', () => {
    const { dispatcher, shard, next, idsOf } = open();
    dispatcher.remember(1);
    shard.listPending(1, 'a', { unconfirmedDeliveries: 3 });
    shard.read([2, 'b']);

    expect(idsOf(next()!)).toEqual([2]);
  });

  it('a suspect is tried only in a shard from which attempts may start', () => {
    const { dispatcher, shard, another, pass } = open();
    const [other, idle] = [another(), another()];
    for (const each of [other, shard]) each.listPending(1, 'a', { unconfirmedDeliveries: 3 });
    other.isActive = () => false;

    expect(dispatcher.next([other], 0)).toBeUndefined();
    const attempt = dispatcher.next([other, idle, shard], 0)!;
    expect([attempt.source, attempt.isIsolated]).toEqual([shard, true]);
    dispatcher.succeeded(attempt, undefined);
    pass();
    shard.read([2, 'b']);
    expect(dispatcher.next([shard], 0)!.isIsolated).toBe(false);
  });

  it('an isolated attempt is charged for all slots from when other starts were held back, and leaves no mark', () => {
    const { clock, dispatcher, shard, next } = open({ concurrency: 4 });
    shard.read([2, 'b']);
    const before = next()!;
    shard.listPending(1, 'a', { unconfirmedDeliveries: 3 });
    clock.nowMs = 100;
    expect(next()).toBeUndefined();
    clock.nowMs = 300;
    dispatcher.succeeded(before, undefined);
    expect(dispatcher.longestMs(clock.nowMs)).toBe(300);
    shard.exchange();
    const attempt = next()!;
    clock.nowMs = 500;
    dispatcher.succeeded(attempt, undefined);

    expect([attempt.startedAt, dispatcher.longestMs(clock.nowMs)]).toEqual([100, 400]);
    expect(dispatcher.nextEvent(500)).toBe(500 + 400 / PART);
    expect(shard.window.results.take().processed).toMatchObject([{ hasState: true }]);
  });

  it('a suspect is not tried while the target is in doubt', () => {
    const { dispatcher, shard, next, fail } = open({ concurrency: 6 });
    shard.read(...[1, 2, 3, 4, 5, 6].map((n) => [n, `${n}`] as const));
    const slow = next()!;
    for (let n = 0; n < 5; n++) fail('outage');
    shard.listPending(9, 'a', { unconfirmedDeliveries: 3 });

    expect(next()).toBeUndefined();
    dispatcher.succeeded(slow, new Set());
    expect(dispatcher.isCalm).toBe(false); // it began before the others failed
  });
});

describe('batches', () => {
  it('a batch holds up to its size of heads of different keys, none of them known to fail', () => {
    const { shard, startAll, idsOf, pass } = open({ batch: 3, concurrency: 2 });
    shard.read([1, 'a'], [2, 'a'], [3, 'b'], [4, 'c'], [5, 'd'], [6, 'e'], [7, 'f'], [8, 'g']);
    shard.listPending(9, 'h', { entryFailures: 1 });
    shard.listPending(10, 'i', { entryFailures: 1 });
    pass();

    expect(startAll().map(idsOf)).toEqual([[9], [1, 3, 4]]);
  });

  it('a batch of a single-key shard holds its next entries, and resumes at the first that failed', () => {
    const { dispatcher, shard, next, idsOf, pass } = open({ batch: 5, keyFields: [] });
    shard.read([1, 'a'], [2, 'b'], [3, 'c'], [4, 'd']);

    const attempt = next()!;
    expect(idsOf(attempt)).toEqual([1, 2, 3, 4]);
    dispatcher.succeeded(attempt, new Set(['2-0', '4-0']));
    pass();
    expect([shard.counts, next()]).toMatchObject([{ processed: 1, failed: 1 }, undefined]);
    pass(100);
    const again = next()!;
    expect(idsOf(again)).toEqual([2]);
    dispatcher.succeeded(again, undefined);
    pass();
    pass(); // their bodies were given back
    const last = next()!;
    expect(idsOf(last)).toEqual([3, 4]);
    dispatcher.failed(last, failure('own'));
    pass(100);
    expect([shard.counts, next()?.entries]).toMatchObject([
      { processed: 2, failed: 2 },
      [{ id: '3-0', targetFailures: 1 }],
    ]);
  });

  it('a batch of several keys settles each entry by its own result', () => {
    for (const [failed, processed] of [
      [['2-0'], 2],
      [[], 3],
    ] as const) {
      for (const keyFields of failed.length > 0 ? [['k']] : [['k'], []]) {
        const { dispatcher, shard, next, pass } = open({ batch: 3, keyFields });
        shard.read([1, 'a'], [2, 'b'], [3, 'c']);
        dispatcher.succeeded(next()!, new Set(failed));
        pass();

        expect(shard.counts).toMatchObject({ processed, failed: failed.length });
      }
    }
  });

  it('a failed entry of a batch gets the reason that the function reported for it', () => {
    const { dispatcher, shard, next, succeed, pass } = open({ batch: 2, maxDeliveries: 1 });
    shard.read([1, 'a'], [2, 'b']);
    dispatcher.succeeded(next()!, new Set(['2-0']));
    shard.read([3, 'c']);
    succeed();
    pass();

    expect(shard.letters).toMatchObject([
      {
        id: '2-0',
        errorType: 'LAMBDA:BATCH_ITEM',
        reason: 'Failed after 1 deliveries: The function reported it as failed',
      },
    ]);
  });

  it('a failed batch counts as one failure for the breaker', () => {
    for (const isWhole of [true, false]) {
      const { dispatcher, shard, next } = open({ batch: 6 });
      shard.read(...Array.from({ length: 30 }, (_, index) => [index + 1, `${index}`] as const));
      const calm = [1, 2, 3, 4, 5].map(() => {
        const attempt = next()!;
        if (isWhole) dispatcher.failed(attempt, failure('outage'));
        else dispatcher.succeeded(attempt, new Set(attempt.entries.map(({ id }) => id)));
        return dispatcher.isCalm;
      });

      expect(calm).toEqual([true, true, true, true, false]);
    }
  });

  it('a batch holds no entry whose last run was killed, and none whose body is not loaded', () => {
    const { shard, startAll, idsOf, pass } = open({ batch: 3 });
    shard.read([2, 'b']);
    shard.listPending(1, 'a', { unconfirmedDeliveries: 1 });
    pass();
    shard.read([3, 'c']);
    expect(startAll().map(idsOf)).toEqual([[2], [1], [3]]);

    const one = open({ batch: 3, keyFields: [], bodyBytes: 80 });
    one.shard.listPending(1, 'a', {});
    one.shard.listPending(2, 'a', {});
    one.pass();
    expect(one.startAll().map(idsOf)).toEqual([[1]]);
  });

  it('a batch fits a Lambda payload and holds only valid UTF-8', () => {
    const { shard, startAll, idsOf } = open({ batch: 9, bodyBytes: 1e8 });
    const half = MAX_BATCH_BYTES / 2 - 116; // without the rest of the JSON
    shard.read([1, 'a', half], [2, 'b', half], [3, 'c', half + 1], [4, 'd', half]);
    shard.read([5, 'e'], [6, '\ufffd'], [7, 'g']);

    expect(startAll().map(idsOf)).toEqual([[1, 2], [3], [4, 5], [6]]);
  });

  it.each([
    ['Japanese, which takes three bytes a character', '\u65e5'.repeat(400_000)],
    ['JSON, whose quotes are escaped', '"'.repeat(600_000)],
  ])('a batch is measured by its size on the wire: %s', (_, text) => {
    const { shard, startAll, idsOf } = open({ batch: 9, bodyBytes: 1e8 });
    const entries = [1, 2, 3].map((n) => ({ id: `${n}-0`, fields: ['k', `${n}`, 'v', text] }));
    shard.window.read(entries, 100, { pollMs: 100 }, 0);

    expect(startAll().map(idsOf)).toEqual([[1, 2], [3]]);
  });

  it('entries of a batch that failed as a whole are tried one by one, without blame', () => {
    const { dispatcher, shard, next, startAll, idsOf, pass } = open({ batch: 3 });
    shard.read([1, 'a'], [2, 'b'], [3, 'c']);

    dispatcher.failed(next()!, failure('permanent', { retryAfterMs: 200 }));
    pass(199);
    expect([shard.letters, next()]).toEqual([[], undefined]);
    pass(1);

    const attempts = startAll();
    expect(attempts.map(idsOf).sort()).toEqual([[1], [2], [3]]);
    expect(attempts.map(({ entries }) => entries[0])).toMatchObject(
      Array(3).fill({ entryFailures: 0, targetFailures: 1 }),
    );
  });

  it('entries of a batch of a single-key shard stay until it ends, although the group delivers them anew', () => {
    for (const failed of [new Set<string>(), new Set(['2-0'])]) {
      const { dispatcher, shard, next, idsOf, pass } = open({ batch: 5, keyFields: [], maxAgeMs: 1 });
      shard.read([1, 'a'], [2, 'b'], [3, 'c']);
      const attempt = next()!;
      pass(100);

      shard.read([1, 'a'], [2, 'b'], [3, 'c']);
      dispatcher.succeeded(attempt, failed);
      pass();
      pass(); // the bodies behind a failed entry were given back

      expect(attempt.entries.slice(0, 2)).toMatchObject(Array(2).fill({ isRedelivered: true, stage: 'removed' }));
      expect(idsOf(next()!)).toEqual(failed.size > 0 ? [3, 1, 2, 3] : [1, 2, 3]);
    }
  });

  it('an old entry becomes no dead letter when its batch fails as a whole, but when it fails alone', () => {
    for (const keyFields of [['k'], []]) {
      const { clock, dispatcher, shard, next, pass } = open({ batch: 3, keyFields, maxAgeMs: 50 });
      clock.nowMs = 100;
      shard.read([1, 'a'], [2, 'b'], [3, 'c']);

      dispatcher.failed(next()!, failure('own'));
      pass(100);
      expect(shard.letters).toEqual([]);

      dispatcher.failed(next()!, failure('own'));
      pass();
      expect(shard.letters).toMatchObject([{ id: '1-0', reason: 'Too old: as planned' }]);
    }
  });
});

describe('the breaker across shards', () => {
  const openTo = (kind: FailureKind, more?: Partial<Failure>) => {
    const opened = open();
    opened.shard.read(...Array.from({ length: 30 }, (_, index) => [index + 1, `${index}`] as const));
    for (let n = 0; n < 6; n++) opened.fail(kind, more);
    return opened;
  };

  it('the breaker rests a second after five fresh keys and a probe fail, then twice as long', () => {
    const { clock, dispatcher, next, fail } = openTo('outage');

    expect(dispatcher.rest).toEqual({ until: 1000, reason: 'upstream-unavailable' });
    expect([dispatcher.level, next()]).toEqual([1, undefined]);
    clock.nowMs = 1000;
    fail('outage');
    expect(dispatcher.rest.until).toBe(3000);
  });

  it('the target rests for its Retry-After, up to 15 minutes', () => {
    expect(openTo('outage', { retryAfterMs: 30_000 }).dispatcher.rest.until).toBe(30_000);
    expect(openTo('outage', { retryAfterMs: 1e9 }).dispatcher.rest.until).toBe(900_000);
  });

  it('a target that throttles rests immediately', () => {
    const { dispatcher, shard, fail } = open();
    shard.read([1, 'a']);
    fail('outage', { isThrottle: true, retryAfterMs: 2000 });

    expect(dispatcher.rest).toEqual({ until: 2000, reason: 'upstream-unavailable' });
  });

  it('the longest Retry-After wins', () => {
    const { dispatcher, shard, startAll } = open();
    shard.read([1, 'a'], [2, 'b'], [3, 'c']);
    startAll().forEach((attempt, index) =>
      dispatcher.failed(attempt, failure('outage', { isThrottle: true, retryAfterMs: [2000, 5000, 1000][index]! })),
    );

    expect(dispatcher.rest.until).toBe(5000);
  });

  it('probes start with fresh keys, then hot ones, then a single failing one', () => {
    const { dispatcher, shard, startAll, pass } = open({ viewLimit: 5000 });
    dispatcher.remember(5);
    for (let n = 1; n <= HOT_FROM; n++) shard.listPending(n, 'long', {});
    for (const n of [3001, 3002]) shard.listPending(n, `bad-${n}`, { entryFailures: 1 });
    pass();
    shard.read([4001, 'a']);

    expect(startAll().map(({ kind }) => kind)).toEqual(['fresh', 'hot', 'failing']);
  });

  it('another probe replaces one whose entry was deleted', () => {
    const { dispatcher, shard, next, startAll } = open();
    dispatcher.remember(1);
    shard.read([1, 'a'], [2, 'b'], [3, 'c']);
    const deleted = next()!;
    expect(next()).toBeUndefined();
    dispatcher.dropped(deleted);

    expect([dispatcher.inFlight, dispatcher.rest.until, startAll().length]).toEqual([0, 0, 1]);
  });

  it('a key counts as failing until one of its entries succeeds, and only in its shard', () => {
    const { dispatcher, shard, another, next, fail, pass } = open();
    const other = another();
    shard.read([1, 'a'], [2, 'a'], [3, 'a'], [4, 'a']);
    other.read([1, 'a']);
    fail('permanent');
    pass();

    expect(dispatcher.next([other], 0)!.isFresh).toBe(true);
    const known = next()!;
    expect(known.isFresh).toBe(false);
    dispatcher.succeeded(known, undefined);
    pass();
    expect(next()!.isFresh).toBe(true);
  });

  it('the last 100,000 failing keys are remembered', () => {
    const { dispatcher, shard, next, pass } = open({ refusalLimit: 0 });
    let n = 0;
    const failNext = (key: string) => {
      shard.read([++n, key]);
      const attempt = next()!;
      dispatcher.failed(attempt, failure('permanent'));
      pass();
      return attempt;
    };
    for (const key of Array(100_000).keys()) failNext(`${key}`);
    expect(failNext('0').isFresh).toBe(false);
    failNext('another');

    expect([failNext('1').isFresh, failNext('0').isFresh]).toEqual([false, true]);
  });

  it('entries that never reached the target say nothing about their key or the target', () => {
    const { dispatcher, shard, next, fail, pass } = open();
    for (let n = 1; n <= 9; n++) {
      shard.read([n, 'a']);
      fail('invalid');
      pass();
    }
    shard.read([10, 'a']);

    expect([dispatcher.isCalm, next()!.isFresh]).toEqual([true, true]);
  });

  it('a key counts once in a row, no matter how many of its entries are refused for good', () => {
    const { dispatcher, shard, fail, pass } = open({ refusalLimit: 5 });
    for (let n = 1; n <= 20; n++) {
      shard.read([n, 'a']);
      fail('permanent');
      pass();
    }

    expect([dispatcher.isCalm, shard.letters.length]).toEqual([true, 20]);
  });

  it("the rest's reason is target-refuses only after refusals, and earlier runs' level is kept", () => {
    const { clock, dispatcher, shard, fail } = open({ refusalLimit: 2 });
    shard.read(...Array.from({ length: 9 }, (_, index) => [index + 1, `${index}`] as const));
    dispatcher.remember(10);
    fail('refusal');
    const { rest } = dispatcher;

    expect(rest).toEqual({ until: 900_000, reason: 'target-refuses' });
    clock.nowMs = rest.until;
    expect(dispatcher.freeSlots).toBeGreaterThan(0);
  });
});

describe('a failed entry', () => {
  it('an entry that can never succeed becomes a dead letter immediately', () => {
    for (const [kind, settings] of [
      ['invalid', {}],
      ['permanent', {}],
      ['refusal', { refusalLimit: 0 }],
      ['outage', { maxAgeMs: 50 }],
    ] as const) {
      // oxfmt-ignore
      const { clock, shard, fail, pass } = open(settings);
      clock.nowMs = 100;
      shard.read([1, 'a']);
      fail(kind);
      pass();

      expect(shard.letters).toMatchObject([
        { deliveries: 1, reason: kind === 'outage' ? 'Too old: as planned' : 'as planned' },
      ]);
      expect(shard.counts).toMatchObject({ failed: 0, deadLettered: 1 });
    }
  });

  it('a failed entry is tried maxDeliveries times, with a longer back-off each time', () => {
    const { clock, shard, fail, succeed, pass } = open();
    const times: number[] = [];
    shard.read([1, 'a']);
    for (let n = 2; shard.letters.length === 0; n++) {
      pass(10);
      if (shard.window.keys.readySize > 0) {
        times.push(clock.nowMs);
        fail('own');
      }
      shard.read([n, `${n}`]);
      succeed();
      pass();
    }

    expect(times).toEqual([10, 110, 310]);
    expect(shard.letters).toMatchObject([{ deliveries: 3, reason: 'Failed after 3 deliveries: as planned' }]);
  });

  it("a failed entry never becomes a dead letter because of the target's failures", () => {
    const { shard, fail, pass } = open({ maxDeliveries: 1 });
    shard.listPending(1, 'a', { entryFailures: 0 });
    for (let n = 0; n < 50; n++) {
      pass(120_000);
      fail('outage');
    }

    expect(shard.letters).toEqual([]);
  });

  it('a refused entry becomes a dead letter once another entry succeeds', () => {
    const { shard, fail, succeed, pass } = open();
    shard.read([1, 'a'], [2, 'b']);
    fail('refusal');
    pass();
    expect(shard.letters).toEqual([]);
    succeed();
    pass();

    expect(shard.letters).toMatchObject([{ id: '1-0', reason: 'as planned' }]);
  });

  it("a failure counts as the target's once the breaker opens, and the entry keeps its tries", () => {
    const { shard, fail, pass } = open({ maxDeliveries: 2 });
    shard.read(...Array.from({ length: 7 }, (_, index) => [index + 1, `${index}`] as const));
    for (let n = 0; n < 6; n++) fail('own');
    const { failed } = shard.window.results.take();

    expect(failed.map(({ entryFailures, targetFailures }) => [entryFailures, targetFailures])).toEqual(
      Array(6).fill([0, 1]),
    );
    shard.window.results.isSending = false;
    pass();
    expect(shard.letters).toEqual([]);
  });

  it("an attempt that the run abandons counts against the entry only after half of the run's time", () => {
    for (const [ms, timeoutKind, batch, letters] of [
      [19, 'own', 1, 0],
      [20, 'own', 1, 1],
      [20, undefined, 1, 0],
      [20, 'own', 2, 0],
    ] as const) {
      const { clock, dispatcher, shard, next, pass } = open({ maxDeliveries: 1, batch, timeoutKind });
      clock.nowMs = 1000;
      shard.read([1, 'a'], [2, 'b']);
      expect(next()!.entries).toHaveLength(batch);
      clock.nowMs += ms;
      dispatcher.giveUp(shard, 20);
      pass();

      expect(shard.letters).toHaveLength(letters);
    }
  });

  it("abandoning a shard's attempts leaves those of other shards in flight", () => {
    const { dispatcher, shard, another, next } = open();
    const other = another();
    other.read([1, 'a']);
    shard.read([1, 'a']);
    dispatcher.next([other], 0);
    next();
    dispatcher.giveUp(shard);

    expect([dispatcher.inFlight, other.window.inFlight, other.counts.failed]).toEqual([1, 1, 0]);
  });

  it('a failing entry that is left alone after an outage is tried until maxAgeMs, uncounted', () => {
    for (const maxAgeMs of [undefined, 100_000]) {
      const { dispatcher, shard, fail, pass } = open({ maxAgeMs });
      dispatcher.remember(1);
      shard.read([1, 'a']);
      for (let n = 0; n < 8 && shard.letters.length === 0; n++) {
        fail('own');
        pass(60_000);
      }

      expect(shard.letters).toMatchObject(maxAgeMs ? [{ deliveries: 3, reason: 'Too old: as planned' }] : []);
    }
  });

  it('an exhausted entry becomes a dead letter only when no other work remains', () => {
    const { dispatcher, shard, fail, pass } = open();
    shard.listPending(1, 'a', { entryFailures: 2 });
    pass();
    fail('own');
    shard.read([2, 'b']);
    fail('own');
    dispatcher.decideSpent();
    pass();

    expect(shard.letters).toMatchObject([{ id: '1-0', reason: 'Failed after 3 deliveries: as planned' }]);
  });

  it('undecided failures keep their initial count at the end of the run', () => {
    const { dispatcher, shard, fail, succeed, pass } = open();
    shard.read([1, 'a'], [2, 'b']);
    fail('refusal');
    dispatcher.decideAll();
    succeed();
    pass();

    expect([shard.letters, shard.counts]).toMatchObject([[], { processed: 1, failed: 1 }]);
  });

  it('a failure after the end of the lease changes nothing', () => {
    const { dispatcher, shard, next } = open();
    shard.read([1, 'a'], [2, 'b'], [3, 'c']);
    const [one, other] = [next()!, next()!, next()!];
    shard.isOver = true;
    dispatcher.failed(one, failure('permanent'));
    dispatcher.succeeded(other, undefined);
    dispatcher.giveUp(shard);

    expect([shard.window.results.size, dispatcher.inFlight]).toEqual([0, 0]);
  });
});

describe('the rate', () => {
  it('a rate limits attempts to the reserved calls, and reserves more for what is ready or in flight', () => {
    const { clock, dispatcher, shard, next, startAll } = open({ ratePerSecond: 100 });
    const state = () => [dispatcher.canStart(clock.nowMs), dispatcher.isRateLimited([shard], clock.nowMs)];
    const toReserve = () => dispatcher.toReserve([shard], clock.nowMs);
    expect([state(), toReserve()]).toEqual([[false, false], 0]); // nothing is ready
    shard.read([1, 'a'], [2, 'b'], [3, 'c']);
    expect([state(), toReserve(), next()]).toEqual([[false, true], 3, undefined]);
    dispatcher.reserved({ calls: 3, afterMs: 30 });
    expect(dispatcher.nextEvent(0)).toBe(30);
    clock.nowMs = 30;
    expect([state(), startAll().length, state(), dispatcher.nextEvent(30)]).toEqual([
      [true, false],
      1,
      [false, true],
      40,
    ]);
    clock.nowMs = 40;
    expect([startAll().length, toReserve()]).toEqual([1, 2]);
  });

  it('calls are reserved for suspects too', () => {
    const { dispatcher, shard } = open({ ratePerSecond: 100 });
    shard.listPending(1, 'a', { unconfirmedDeliveries: 3 });

    expect([dispatcher.isRateLimited([shard], 0), dispatcher.toReserve([shard], 0)]).toEqual([true, 1]);
  });

  it('no calls are reserved while the target rests, or without a rate', () => {
    const resting = open({ ratePerSecond: 100 });
    resting.shard.read([1, 'a'], [2, 'b']);
    resting.dispatcher.toReserve([resting.shard], 0);
    resting.dispatcher.reserved({ calls: 1, afterMs: 0 });
    resting.fail('outage', { isThrottle: true, retryAfterMs: 1000 });
    const without = open();
    without.shard.read([1, 'a']);

    for (const { dispatcher, shard } of [resting, without]) {
      expect([dispatcher.isRateLimited([shard], 10), dispatcher.toReserve([shard], 10)]).toEqual([false, 0]);
      expect(dispatcher.nextEvent(10)).toBe(Infinity);
    }
  });
});
