import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { PendingEntry } from '../../../../lib/consumer/window/pending-entry.ts';
import type { Window } from '../../../../lib/consumer/window/window.ts';
import { NEED, SETTINGS, ShardAlone, StandingClock } from '../../../support/consumer/shard-alone.ts';

/** Takes the next ready head, whatever kind it is. */
function takeHead({ keys }: Window): PendingEntry | undefined {
  return keys.ready.failing.shift() ?? keys.ready.hot.shift() ?? keys.ready.fresh.shift();
}

describe('a window', () => {
  it('hands out the entries of a key in order, counts each once, and gives all bytes back', () => {
    const step = fc.constantFrom('take', 'fail', 'exchange', 'wait');
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 40 }),
        fc.array(step, { maxLength: 80 }),
        (keys, steps) => {
          const clock = new StandingClock();
          const shard = new ShardAlone(clock);
          const { window } = shard;
          shard.read(...keys.map((key, at) => [at + 1, key, (at * 7) % 50] as const));
          const taken = new Map<string, number[]>();
          const work = (step: string) => {
            if (step === 'exchange') return shard.exchange();
            window.keys.wake(clock.at);
            const head = step === 'wait' ? undefined : takeHead(window);
            if (!head) return;
            window.begin([head]);
            window.end();
            if (step === 'fail') {
              head.own++;
              window.retry(head, clock.at + 10);
              return;
            }
            const { key } = head.keyQueue;
            taken.set(key, [...(taken.get(key) ?? []), parseInt(head.id)]);
            window.taken(head);
          };
          for (const step of steps) {
            work(step);
            clock.at += 5;
          }
          for (let rounds = 0; window.keys.size > 0; rounds++, clock.at += 100) {
            work('exchange');
            work('take');
            expect(rounds).toBeLessThan(1000);
          }

          for (const ids of taken.values()) expect(ids).toEqual(ids.toSorted((a, b) => a - b));
          expect(shard.counts).toMatchObject({
            read: keys.length,
            processed: keys.length,
            deadLettered: 0,
            deleted: 0,
          });
          expect(shard.budget.used).toBe(0);
        },
      ),
      { numRuns: 200 },
    );
  });

  it('takes in no more bytes than it may, and what two replies hold, whatever the size of its entries', () => {
    const options = fc.record({ bytes: fc.integer({ min: 1, max: 20_000 }), batchSize: fc.integer({ min: 1, max: 500 }), keys: fc.integer({ min: 1, max: 50 }) }); // prettier-ignore
    fc.assert(
      fc.property(options, ({ bytes, batchSize, keys }) => {
        const clock = new StandingClock();
        const shard = new ShardAlone(clock, { ...SETTINGS, batchSize, bodyBytes: 10_000 });
        const { window, budget } = shard;
        let n = 0;
        shard.unread = (count) => {
          return Array.from({ length: n === 0 ? 1 : count }, () => [++n, `${n % keys}`, bytes] as const);
        };
        for (let taken = 0; taken < 100; clock.at += 50) {
          expect(clock.at).toBeLessThan(20_000);
          shard.exchange();
          expect(budget.used).toBeLessThanOrEqual(budget.limit + 2 * Math.max(budget.limit / 8, bytes + 100));
          for (let head = takeHead(window); head; head = takeHead(window), taken++) window.taken(head);
        }
      }),
    );
  });

  it('asks for nothing new while bodies take all that they may', () => {
    const shard = new ShardAlone(new StandingClock());
    shard.budget.used = shard.budget.limit;

    shard.read([1, 'a']);

    expect(shard.window.plan(0, NEED).read).toBeUndefined();
  });

  it('counts no bytes once it is closed', () => {
    const shard = new ShardAlone(new StandingClock());
    const { window, budget } = shard;
    shard.read([1, 'a'], [2, 'b']);
    const head = takeHead(window)!;

    window.close();
    window.taken(head);
    window.acknowledged([head], 0);
    shard.read([3, 'c']);

    expect(budget.used).toBe(0);
  });

  it('reads nothing new before it knows what earlier runs left, or while it has too many in view', () => {
    const clock = new StandingClock();
    const shard = new ShardAlone(clock, { ...SETTINGS, viewLimit: 2 });
    const { window } = shard;
    const row = { id: '1-0', key: 'a', bytes: 1, idleMs: 0, unended: 0, own: 0, outages: 0, crashes: 0, dueAt: 0 };
    window.lookedUp({ rows: [row], isLast: false }, 0);

    const { lookUp, read } = window.plan(0, NEED);
    expect([lookUp?.after, read]).toEqual(['1-0', undefined]);
    expect(window.plan(0, NEED).lookUp).toBeUndefined(); // it is under way
    window.lookedUp({ rows: [{ ...row, id: '2-0' }], isLast: true }, 0);
    window.lookUpEnded();
    expect([window.isFull, window.plan(0, NEED).read]).toEqual([true, undefined]);
  });

  it('reports entries without a body as gone, and goes on with the next of their key', () => {
    const shard = new ShardAlone(new StandingClock());
    const { window, counts } = shard;
    for (const n of [1, 2]) shard.lookUp(n, 'a', {});
    window.lookedUp({ rows: [{ id: '9-0', key: undefined, bytes: 0, idleMs: 0, unended: 0, own: 0, outages: 0, crashes: 0, dueAt: 0 }], isLast: true }, 0); // prettier-ignore
    const { claim } = window.plan(0, NEED);
    window.claimed(claim!, [{ id: '2-0', fields: ['k', 'a'] }], { now: 0 });

    expect(counts).toMatchObject({ deleted: 2, recovered: 1 });
    expect(takeHead(window)!.id).toBe('2-0');
    expect(window.outcomes.take().gone).toEqual(['9-0', '1-0']);
  });

  it('lets an entry rest for its back-off since its run was killed, and for a quarter of an hour at most', () => {
    const shard = new ShardAlone(new StandingClock());
    const { keys } = shard.window;
    shard.lookUp(1, 'a', { own: 1, dueAt: 1e12 });
    expect(keys.nextDueAt).toBe(900_000);
    shard.lookUp(2, 'b', { unended: 2, idleMs: 50 });

    expect(keys.nextDueAt).toBe(150);
  });

  it('asks for eight times as many entries as came before, up to a batch', () => {
    const shard = new ShardAlone(new StandingClock(), { ...SETTINGS, batchSize: 100 });
    const asked: number[] = [];
    let n = 0;
    shard.unread = (count) => {
      asked.push(count);
      return Array.from({ length: Math.min(count, 5) }, () => [++n, `${n}`] as const);
    };
    for (let at = 0; at < 2; at++) {
      shard.window.pollNow();
      shard.exchange();
    }

    expect(asked).toEqual([20, 40]);
  });

  it('reads on past the entries of a busy key once they have waited for a while, and gives those back', () => {
    const clock = new StandingClock();
    const shard = new ShardAlone(clock, { ...SETTINGS, batchSize: 2, concurrency: 1 });
    shard.read(...Array.from({ length: 20 }, (_, at) => [at + 1, 'a'] as const));
    takeHead(shard.window);
    shard.window.pollNow();

    expect(shard.window.plan(clock.at, NEED).read).toBeUndefined();
    clock.at += 100;
    expect(shard.window.plan(clock.at, NEED).read).toBeDefined();
    shard.read([21, 'a'], [22, 'b']);
    expect(shard.window.outcomes.take().held.map(({ id }) => id)).toContain('21-0');
    expect(takeHead(shard.window)!.id).toBe('22-0');
  });
});
