import { expect, it } from '@jest/globals';
import fc from '#test/support/fast-check.ts';
import { readNow, type PendingEntry } from '#lib/consumer/window/pending-entry.ts';
import { DueQueue, Fifo } from '#lib/consumer/window/queues.ts';

const entryOf = (id: string, dueAt = 0): PendingEntry => ({ ...readNow({ id, fields: [] }, 0), dueAt });

it('a queue returns entries in order of arrival, without those removed from the middle', () => {
  const step = fc.oneof(fc.constant('push' as const), fc.constant('shift' as const), fc.nat(20));
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), fc.boolean(), fc.boolean(), (steps, isLong, isPeeking) => {
      const queue = new Fifo();
      const model: PendingEntry[] = [];
      const push = () => {
        model.push(entryOf(String(model.length)));
        queue.push(model.at(-1)!);
      };
      if (isLong) for (let n = 0; n < 1500; n++) push(); // past the size at which it frees unused space
      if (isLong) for (let n = 0; n < 1100; n++) expect(queue.shift()).toBe(model.shift());
      for (const step of steps) {
        if (step === 'push') push();
        else if (step === 'shift') expect(queue.shift()).toBe(model.shift());
        else if (model.length > 0) queue.leave(model.splice(step % model.length, 1)[0]!);
        expect(queue.size).toBe(model.length);
        if (isPeeking) expect(queue.first).toBe(model[0]);
        expect(model.every((pending) => pending.queue === queue && pending.stage === 'queued')).toBe(true);
      }
    }),
    { numRuns: 50 },
  );
});

it('a queue of due entries returns them in order of their due times', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.nat(50), fc.constant('shift' as const)), { maxLength: 100 }), (steps) => {
      const queue = new DueQueue();
      const model: number[] = [];
      for (const step of steps) {
        if (step === 'shift') expect(queue.shift()?.dueAt).toBe(model.sort((a, b) => a - b).shift());
        else {
          model.push(step);
          queue.push(entryOf('1-0', step));
        }
        expect(queue.first?.dueAt).toBe(model.length > 0 ? Math.min(...model) : undefined);
      }
    }),
  );
});
