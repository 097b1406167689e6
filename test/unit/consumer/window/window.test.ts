import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Counts } from '../../../../lib/consumer/report.ts';
import type { Settings } from '../../../../lib/consumer/settings.ts';
import { BodyBudget } from '../../../../lib/consumer/window/key-order.ts';
import type { PendingEntry } from '../../../../lib/consumer/window/pending-entry.ts';
import { Window } from '../../../../lib/consumer/window/window.ts';

const settings = { batchSize: 10, concurrency: 4, viewLimit: 1000, maxDeliveries: 3, backoffMs: 100 } as Settings;
const clock = { now: () => 0, epochMs: () => 0, timer: () => () => {} };
const NEED = { wanted: 4, failingWanted: 0, isCalm: true, pollMs: 100, blockMs: undefined };

function openWindow() {
  const counts = new Counts();
  const budget = new BodyBudget(1e6);
  const window = new Window({ keyFields: ['k'], settings, counts, budget, clock, firstRead: 20 });
  window.lookedUp({ rows: [], isLast: true }, 0);
  return { window, counts, budget };
}

const entry = (n: number, key: string) => ({ id: `${n}-0`, fields: ['k', key, 'v', 'x'.repeat(n % 50)] });

/** Takes the next ready head, whatever kind it is. */
function takeHead({ keys }: Window): PendingEntry | undefined {
  return keys.ready.failing.shift() ?? keys.ready.hot.shift() ?? keys.ready.fresh.shift();
}

describe('a window', () => {
  it('hands out the entries of a key in order, counts each once, and gives all bytes back', () => {
    const step = fc.constantFrom('take', 'fail', 'acknowledge', 'wait');
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 40 }),
        fc.array(step, { maxLength: 80 }),
        (keys, steps) => {
          const { window, counts, budget } = openWindow();
          window.read(
            keys.map((key, n) => entry(n + 1, key)),
            100,
            NEED,
            0,
          );
          const taken = new Map<string, number[]>();
          const work = (now: number, step: string) => {
            window.keys.wake(now);
            const claim = window.plan(now, { ...NEED, failingWanted: 4 }).claim;
            if (claim) {
              window.claimed(
                claim,
                claim.map(({ id, keyQueue }) => entry(parseInt(id), keyQueue.key)),
                { now },
              );
              window.claimEnded();
            }
            if (step === 'acknowledge') {
              window.acknowledged(window.outcomes.take().taken, now);
              window.outcomes.isSending = false;
              return;
            }
            const head = step === 'wait' ? undefined : takeHead(window);
            if (!head) return;
            window.begin([head]);
            window.end();
            if (step === 'fail') {
              head.own++;
              window.retry(head, now + 10);
              return;
            }
            const { key } = head.keyQueue;
            taken.set(key, [...(taken.get(key) ?? []), parseInt(head.id)]);
            window.taken(head);
          };
          steps.forEach((step, at) => work(at * 5, step));
          for (let now = 1000; window.keys.size > 0; now += 100) {
            work(now, 'take');
            work(now, 'acknowledge');
            expect(now).toBeLessThan(100_000);
          }

          for (const ids of taken.values()) expect(ids).toEqual(ids.toSorted((a, b) => a - b));
          expect(counts).toMatchObject({ read: keys.length, processed: keys.length, deadLettered: 0, deleted: 0 });
          expect(budget.used).toBe(0);
        },
      ),
      { numRuns: 200 },
    );
  });

  it('asks for nothing new while bodies take all that they may', () => {
    const { window, budget } = openWindow();
    budget.used = budget.limit;

    window.read([entry(1, 'a')], 1, NEED, 0);

    expect(window.plan(0, NEED).read).toBeUndefined();
  });

  it('counts no bytes once it is closed', () => {
    const { window, budget } = openWindow();
    window.read([entry(1, 'a'), entry(2, 'b')], 2, NEED, 0);
    const head = takeHead(window)!;

    window.close();
    window.taken(head);
    window.acknowledged([head], 0);
    window.read([entry(3, 'c')], 1, NEED, 0);

    expect(budget.used).toBe(0);
  });
});
