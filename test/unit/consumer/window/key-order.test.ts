import { describe, expect, it } from '@jest/globals';
import { BodyBudget, HOT_FROM, KeyOrder } from '#lib/consumer/window/key-order.ts';
import { leftPending, readNow, type EntryFacts, type PendingEntry } from '#lib/consumer/window/pending-entry.ts';

const BYTES = 10;

/** The entries of a shard by key, and how they come into view. */
function keyOrder() {
  const budget = new BodyBudget(1000);
  const keys = new KeyOrder(budget, 3);
  return {
    budget,
    keys,
    read: (n: number, key = 'a', known: Partial<EntryFacts> = {}): PendingEntry => {
      const pending = Object.assign(readNow({ id: `${n}-0`, fields: [] }, BYTES), known);
      keys.add(key, pending, 0);
      return pending;
    },
    listPending: (n: number, key = 'a', known: Partial<EntryFacts> = {}): PendingEntry => {
      const unknown = {
        bytes: BYTES,
        unconfirmedDeliveries: 0,
        entryFailures: 0,
        targetFailures: 0,
        crashes: 0,
        hasState: false,
        dueAt: 0,
      };
      const pending = leftPending(`${n}-0`, { ...unknown, ...known });
      keys.add(key, pending, 0);
      return pending;
    },
    claim: (pending: PendingEntry, isIsolated = false) =>
      keys.arrived(pending, { id: pending.id, fields: [] }, isIsolated),
    /** The bodies in memory, and their bytes. */
    loaded: () => [keys.buffered, budget.used],
  };
}

describe('the order of keys', () => {
  it('the head of each key is queued as fresh, failing, hot, suspect or unclaimed', () => {
    const { keys, read, listPending } = keyOrder();
    const fresh = read(1, 'fresh');
    const failedItself = read(2, 'failed itself', { entryFailures: 1 });
    const outage = read(3, 'outage', { targetFailures: 1 });
    const suspect = listPending(4, 'suspect', { unconfirmedDeliveries: 3 });
    const unclaimed = listPending(5, 'unclaimed', { unconfirmedDeliveries: 2 });
    const failed = listPending(6, 'failed', { targetFailures: 1 });
    const long = Array.from({ length: HOT_FROM + 1 }, (_, index) => read(100 + index, 'long'));
    expect(keys.ready.fresh.size).toBe(2); // this one was ready before its key was long
    keys.done(long[0]!, 0);

    expect(keys.ready.hot.first).toBe(long[1]);
    expect(keys.readySize).toBe(4);
    keys.done(long[1]!, 0);
    expect([keys.ready.hot.size, keys.readySize, keys.ready.fresh.shift(), keys.ready.fresh.shift()]).toEqual([
      0,
      4,
      fresh,
      long[2],
    ]);
    expect([keys.ready.failing.shift(), keys.ready.failing.shift()]).toEqual([failedItself, outage]);
    expect([keys.suspects.shift(), keys.unclaimed.fresh.shift(), keys.unclaimed.failing.shift()]).toEqual([
      suspect,
      unclaimed,
      failed,
    ]);
  });

  it('an entry of a batch whose dead letter is on its way does not start again when it becomes the head', () => {
    const { keys, read } = keyOrder();
    const [first, second, third] = [read(1), read(2), read(3)];
    keys.take(first);
    for (const pending of [first, second, third]) keys.begin(pending);

    keys.giveUp(second);
    keys.done(first, 0);
    const whileBuried = keys.readySize;
    keys.done(second, 0);

    expect([whileBuried, keys.ready.fresh.first, keys.waiting]).toEqual([0, third, 1]);
  });

  it('an entry of a batch does not start again when those before it are acknowledged first', () => {
    const { keys, read } = keyOrder();
    const [first, second] = [read(1), read(2)];
    keys.take(first);
    for (const pending of [first, second]) keys.begin(pending);

    keys.done(first, 0);

    expect(keys.readySize).toBe(0);
  });

  it('an entry of a batch whose dead letter was refused waits for its time as the head', () => {
    const { keys, read } = keyOrder();
    const [first, second] = [read(1), read(2)];
    keys.take(first);
    for (const pending of [first, second]) keys.begin(pending);
    keys.giveUp(second);

    keys.defer(second, 50);
    keys.done(first, 0);

    expect([keys.readySize, keys.nextDueAt]).toEqual([0, 50]);
  });

  it('each loaded body is counted once, no matter what happens to its entry', () => {
    const { keys, budget, read, listPending, claim, loaded } = keyOrder();
    const [head, behind] = [read(1), read(2)];
    const claimed = listPending(3, 'b');
    expect(loaded()).toEqual([2, 20]);
    claim(claimed);
    claim(claimed);
    expect([...loaded(), budget.left]).toEqual([3, 30, 970]);

    keys.take(head);
    expect(keys.defer(head, 50)).toEqual([behind]); // it must be claimed again
    expect([head.body, behind.body, ...loaded()]).toEqual([undefined, undefined, 1, 10]);
    keys.done(claimed, 0);
    keys.done(head, 0);
    expect([...loaded(), keys.size]).toEqual([0, 0, 1]);
    claim(head); // too late: it has left
    expect([head.body, ...loaded()]).toEqual([undefined, 0, 0]);
  });

  it('entries of a batch that failed count as waiting again, once their bodies are back', () => {
    const { keys, read, claim, loaded } = keyOrder();
    const batch = [read(1), read(2), read(3)];
    keys.take(batch[0]!);
    for (const pending of batch) keys.begin(pending);
    expect(keys.waiting).toBe(0);

    keys.defer(batch[0]!, 10);
    for (const pending of batch) claim(pending);

    expect([keys.waiting, ...loaded()]).toEqual([3, 3, 3 * BYTES]);
  });

  it('a new entry waits without its body behind one without a body, or one that is not due', () => {
    const { keys, read, listPending } = keyOrder();
    read(1, 'ready');
    listPending(2, 'left');
    read(3, 'late', { dueAt: 10 });

    expect(['ready', 'left', 'late', 'new'].map((key) => keys.isWaiting(key))).toEqual([false, true, true, false]);
  });

  it('an entry whose body was deleted is skipped, and its neighbours keep their order', () => {
    const { keys, read } = keyOrder();
    const [first, second, third] = [read(1), read(2), read(3)];
    keys.done(second, 0);
    keys.done(read(4), 0);
    const fifth = read(5);

    const taken = [first, third, fifth].map((expected) => {
      const head = keys.ready.fresh.shift()!;
      expect([head, keys.readySize]).toEqual([expected, 0]);
      keys.done(head, 0);
      return head;
    });
    expect([taken.length, keys.size, keys.has('a')]).toEqual([3, 0, false]);
  });

  it('a failed entry waits behind entries that are about to be acknowledged', () => {
    const { keys, read } = keyOrder();
    const [head, failed] = [read(1), read(2)];
    keys.take(head);
    keys.defer(failed, 10);
    keys.wake(20);
    expect([keys.nextDueAt, keys.unclaimed.fresh.size]).toEqual([Infinity, 0]);

    keys.done(head, 5);
    expect(keys.nextDueAt).toBe(10);
    keys.wake(10);
    expect(keys.unclaimed.fresh.first).toBe(failed);
  });

  it('each entry wakes when it is due, even if another has left or waits for longer again', () => {
    const { keys, read } = keyOrder();
    const waiting = [10, 20, 30, 40, 50].map((dueAt) => read(dueAt, `${dueAt}`, { dueAt }));
    keys.take(waiting[0]!); // it becomes a dead letter
    expect(keys.nextDueAt).toBe(20);
    keys.take(waiting[1]!);
    keys.defer(waiting[1]!, 1000); // the dead letter was refused
    expect(keys.nextDueAt).toBe(30);

    keys.wake(50);
    expect([keys.readySize, keys.nextDueAt]).toEqual([3, 1000]);
    keys.wake(1000);
    expect([keys.unclaimed.fresh.size, keys.nextDueAt]).toEqual([1, Infinity]);
  });

  it('a suspect is tried alone even if its body arrived with an earlier entry that was deleted', () => {
    const { keys, listPending, claim, loaded } = keyOrder();
    const [deleted, suspect] = [listPending(1), listPending(2, 'a', { unconfirmedDeliveries: 3 })];
    keys.take(deleted);
    keys.done(deleted, 0);
    claim(suspect);

    expect([keys.readySize, keys.suspects.size]).toEqual([0, 1]);
    claim(keys.suspects.shift()!, true);
    expect([keys.readySize, ...loaded()]).toEqual([0, 1, BYTES]);
  });

  it('entries that were delivered but not attempted are given back', () => {
    const { keys, read, listPending, loaded } = keyOrder();
    const [inFlight, behind] = [read(1), read(2)];
    const ready = read(3, 'b');
    const late = read(4, 'c', { dueAt: 10 });
    const givenUp = read(5, 'd');
    listPending(6, 'e');
    expect(keys.ready.fresh.shift()).toBe(inFlight);
    keys.take(givenUp);

    expect(keys.unloadUnstarted(0)).toEqual([behind, ready, late]);
    expect([inFlight.body?.id, givenUp.body?.id, ...loaded()]).toEqual(['1-0', '5-0', 2, 2 * BYTES]);
    expect(keys.unloadUnstarted(0)).toEqual([]);
    expect([keys.readySize, keys.unclaimed.fresh.size, keys.nextDueAt]).toEqual([0, 2, 10]);
  });
});
