import { describe, expect, it } from '@jest/globals';
import type { Verdict } from '#lib/consumer/dispatch/breaker.ts';
import {
  FailureHandler,
  MAX_CRASHES,
  MAX_REASON_LENGTH,
  MAX_RETRY_AFTER_MS,
} from '#lib/consumer/dispatch/failure-handler.ts';
import type { Settings } from '#lib/consumer/settings.ts';
import type { Failure, FailureKind } from '#lib/consumer/targets/failure.ts';
import type { PendingEntry } from '#lib/consumer/window/pending-entry.ts';
import { createLog } from '#lib/core/log.ts';
import { SETTINGS, MemoryShard, StandingClock } from '#test/support/consumer/memory-shard.ts';

/** A handler, and a shard whose entries fail. */
function open(more: Partial<Settings> = {}) {
  const clock = new StandingClock();
  const settings: Settings = { ...SETTINGS, ...more };
  const logged: Record<string, unknown>[] = [];
  const log = createLog('warn', {}, (line) => logged.push(JSON.parse(line) as Record<string, unknown>));
  const handler = new FailureHandler({ settings, clock, log, target: { name: 'orders' } });
  const shard = new MemoryShard(clock, settings);
  /** An attempt of the next ready entry has just ended. */
  const attempt = (): PendingEntry => {
    const { keys } = shard.window;
    keys.wake(clock.nowMs);
    const pending = (keys.ready.fresh.shift() ?? keys.ready.failing.shift())!;
    shard.window.begin([pending]);
    shard.window.end();
    return pending;
  };
  const itemOf = (pending: PendingEntry, kind: FailureKind, failure: Partial<Failure> = {}) => {
    return { source: shard, pending, failure: { kind, type: 'TEST', message: 'as planned', ...failure } };
  };
  /** The next ready entry fails. */
  const fail = (kind: FailureKind, failure?: Partial<Failure>) => {
    const pending = attempt();
    handler.fail(itemOf(pending, kind, failure));
    return pending;
  };
  const decide = (pending: PendingEntry, kind: FailureKind, verdict: Verdict) =>
    handler.decide([{ item: itemOf(pending, kind), kind, isFresh: true, retryAfterMs: 0, order: 1 }], verdict);
  const pass = (ms: number) => {
    clock.nowMs += ms;
    shard.exchange();
  };
  const letters = () => {
    shard.exchange();
    return shard.letters;
  };
  return { handler, shard, clock, logged, attempt, fail, decide, pass, letters };
}

describe('a failed entry', () => {
  it('a failed entry expires only after maxAgeMs, and never without it', () => {
    for (const [at, maxAgeMs, count] of [
      [150, 50, 0],
      [151, 50, 1],
      [1e12, undefined, 0],
    ] as const) {
      const { clock, shard, fail, letters } = open(maxAgeMs === undefined ? {} : { maxAgeMs });
      shard.read([100, 'a']);
      clock.nowMs = at;
      fail('own');

      expect(letters()).toHaveLength(count);
    }
  });

  it('an old entry whose attempt the run gives up waits, because its target did not fail', () => {
    const { clock, shard, handler, attempt, letters } = open({ maxAgeMs: 50 });
    shard.read([100, 'a']);
    clock.nowMs = 1000;

    handler.giveUp(shard, attempt(), 'outage');

    expect(letters()).toEqual([]);
  });

  it('an entry that failed by its own fault waits, even if refusals are final', () => {
    const { shard, fail, letters } = open({ refusalLimit: 0 });
    shard.read([1, 'a']);
    fail('own');

    expect(letters()).toEqual([]);
  });

  it('a failed entry is logged with its delivery number', () => {
    const { shard, fail, logged, pass } = open();
    shard.read([1, 'a']);
    fail('own');
    pass(100);
    fail('outage');

    expect(logged).toMatchObject([
      {
        message: 'entry failed',
        id: '1-0',
        kind: 'own',
        type: 'TEST',
        target: 'orders',
        deliveries: 1,
        detail: 'as planned',
      },
      { id: '1-0', kind: 'outage', deliveries: 2 },
    ]);
  });

  it('a failure counts for the entry or the target, and unconfirmed deliveries then count for the target', () => {
    const { shard, fail, pass } = open();
    shard.listPending(1, 'a', { unconfirmedDeliveries: 2 });
    shard.exchange();

    expect(fail('own')).toMatchObject({ entryFailures: 1, targetFailures: 2, unconfirmedDeliveries: 0 });
    pass(10_000);
    expect(fail('outage')).toMatchObject({ entryFailures: 1, targetFailures: 3, unconfirmedDeliveries: 0 });
  });

  it('back-off doubles after any failure, and follows Retry-After up to 15 minutes', () => {
    const { shard, clock, fail, pass } = open();
    shard.read([1, 'a']);
    const waits = [fail('own').dueAt - clock.nowMs];
    pass(waits[0]!);
    waits.push(fail('outage').dueAt - clock.nowMs);
    pass(waits[1]!);
    waits.push(fail('outage', { retryAfterMs: 5000 }).dueAt - clock.nowMs);
    pass(waits[2]!);
    waits.push(fail('outage', { retryAfterMs: 1e9 }).dueAt - clock.nowMs);

    expect(waits).toEqual([100, 200, 5000, MAX_RETRY_AFTER_MS]);
  });

  it("a failed entry's reason has a bounded length", () => {
    const { shard, fail, letters } = open();
    shard.read([1, 'a']);
    fail('permanent', { message: 'x'.repeat(2 * MAX_REASON_LENGTH) });

    expect(letters()).toMatchObject([{ reason: 'x'.repeat(MAX_REASON_LENGTH), errorType: 'TEST' }]);
  });

  it('an entry that crashed three runs becomes a dead letter with that reason', () => {
    const { shard, handler, attempt, letters } = open();
    shard.read([1, 'a']);
    handler.buryCrashed(shard, attempt());

    expect(letters()).toMatchObject([
      {
        errorType: 'CONNECTOR:CRASH',
        reason: `The run ended ${MAX_CRASHES} times while this entry alone was in progress`,
      },
    ]);
  });
});

describe('an abandoned entry', () => {
  it('an abandoned entry is tried again until its last try by its own fault takes too long', () => {
    const { shard, handler, attempt, logged, pass, letters } = open({ maxDeliveries: 2 });
    shard.read([1, 'a']);
    const pending = attempt();
    handler.giveUp(shard, pending, 'own');

    expect(pending).toMatchObject({ entryFailures: 1, targetFailures: 0 });
    expect(logged).toMatchObject([
      { kind: 'own', type: 'CONNECTOR:TIMEOUT', detail: 'The run ended before the target was done' },
    ]);
    pass(10_000);
    handler.giveUp(shard, attempt(), 'outage');
    expect(pending).toMatchObject({ entryFailures: 1, targetFailures: 1 });
    pass(10_000);
    expect(shard.letters).toEqual([]);
    handler.giveUp(shard, attempt(), 'own');
    expect(pending).toMatchObject({ entryFailures: 2, targetFailures: 1 });
    expect(letters()).toMatchObject([
      { errorType: 'CONNECTOR:TIMEOUT', reason: 'Failed after 3 deliveries: it took too long', deliveries: 3 },
    ]);
  });
});

describe('failures with a decided cause', () => {
  it('failures attributed to the target no longer count against their entries, and the state is rewritten', () => {
    const { shard, fail, decide } = open();
    shard.read([1, 'a'], [2, 'b']);
    const [own, outage] = [fail('own'), fail('outage')];
    shard.exchange(); // what they were counted as is with the server
    decide(own, 'own', 'target');
    decide(outage, 'outage', 'target');

    expect([own, outage]).toMatchObject([
      { entryFailures: 0, targetFailures: 1 },
      { entryFailures: 0, targetFailures: 1 },
    ]);
    expect(shard.window.results.take().failed).toEqual([own]);
  });

  it('a dead letter stays a dead letter, whoever is at fault', () => {
    for (const verdict of ['target', 'entry'] as const) {
      const { shard, fail, decide, letters } = open();
      shard.read([1, 'a']);
      const pending = fail('permanent');
      decide(pending, 'permanent', verdict);

      expect(pending).toMatchObject({ entryFailures: 1, targetFailures: 0 });
      expect(letters()).toHaveLength(1);
    }
  });

  it('a decision changes nothing in a shard whose lease has ended', () => {
    const { shard, fail, decide } = open();
    shard.read([1, 'a']);
    const pending = fail('own');
    shard.isOver = true;
    decide(pending, 'own', 'target');

    expect(pending).toMatchObject({ entryFailures: 1, targetFailures: 0 });
  });

  it('a refused entry is dead-lettered while it waits or is ready, but not during its next attempt', () => {
    for (const [state, count] of [
      ['waits', 1],
      ['is ready', 1],
      ['is tried', 0],
    ] as const) {
      const { shard, fail, decide, pass, attempt, letters } = open();
      shard.read([1, 'a']);
      const pending = fail('refusal');
      if (state !== 'waits') pass(10_000);
      if (state === 'is tried') attempt();
      decide(pending, 'refusal', 'entry');

      expect(letters()).toHaveLength(count);
    }
  });

  it('a refusal of unknown cause counts as one failure, and the last one makes a dead letter', () => {
    const { shard, fail, decide, pass, letters } = open({ maxDeliveries: 2 });
    shard.read([1, 'a']);
    decide(fail('refusal'), 'refusal', 'unknown');
    expect(letters()).toEqual([]);
    pass(10_000);
    decide(fail('own'), 'own', 'unknown');

    expect(letters()).toMatchObject([{ reason: 'Failed after 2 deliveries: as planned' }]);
  });
});
