import { describe, expect, it } from '@jest/globals';
import fc from '#test/support/fast-check.ts';
import type { PendingEntry } from '#lib/consumer/window/pending-entry.ts';
import { Window, type Need } from '#lib/consumer/window/window.ts';
import { NEED, SETTINGS, MemoryShard, StandingClock } from '#test/support/consumer/memory-shard.ts';

/** Takes the next ready head of any kind. */
function takeHead({ keys }: Window): PendingEntry | undefined {
  return keys.ready.failing.shift() ?? keys.ready.hot.shift() ?? keys.ready.fresh.shift();
}

const LETTER = { sourceId: '1-0', reason: 'bad', errorType: 'X', deliveries: 1, time: 0 };
const ROW = {
  id: '1-0',
  key: 'a',
  bytes: 1,
  idleMs: 0,
  unconfirmedDeliveries: 0,
  entryFailures: 0,
  targetFailures: 0,
  crashes: 0,
  dueAt: 0,
};

/** A shard with this many new entries, each of a different key or all of one. */
function shardWith(entries: number, { settings = {}, key = '' } = {}) {
  const clock = new StandingClock();
  const shard = new MemoryShard(clock, { ...SETTINGS, ...settings });
  shard.read(...Array.from({ length: entries }, (_, index) => [index + 1, key || `${index}`] as const));
  shard.window.pollNow();
  const plan = (need: Partial<Need> = {}) => shard.window.plan(clock.nowMs, { ...NEED, ...need });
  return { clock, shard, plan, window: shard.window, counts: shard.counts };
}

describe('a window', () => {
  it("a window hands out a key's entries in order, counts each once, and frees all bytes", () => {
    const step = fc.constantFrom('take', 'fail', 'exchange', 'wait');
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 40 }),
        fc.array(step, { maxLength: 80 }),
        (keys, steps) => {
          const clock = new StandingClock();
          const shard = new MemoryShard(clock);
          const { window } = shard;
          shard.read(...keys.map((key, index) => [index + 1, key, (index * 7) % 50] as const));
          const taken = new Map<string, number[]>();
          const work = (step: string) => {
            if (step === 'exchange') return shard.exchange();
            window.keys.wake(clock.nowMs);
            const head = step === 'wait' ? undefined : takeHead(window);
            if (!head) return;
            window.begin([head]);
            window.end();
            if (step === 'fail') {
              head.entryFailures++;
              window.retry(head, clock.nowMs + 10);
              return;
            }
            const { key } = head.keyQueue;
            taken.set(key, [...(taken.get(key) ?? []), parseInt(head.id)]);
            window.processed(head);
          };
          for (const step of steps) {
            work(step);
            clock.nowMs += 5;
          }
          for (let rounds = 0; window.keys.size > 0; rounds++, clock.nowMs += 100) {
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

  it('a window exceeds its byte limit by at most two replies, whatever the entry size', () => {
    const options = fc.record({
      bytes: fc.integer({ min: 1, max: 20_000 }),
      batchSize: fc.integer({ min: 1, max: 500 }),
      keys: fc.integer({ min: 1, max: 50 }),
    });
    fc.assert(
      fc.property(options, ({ bytes, batchSize, keys }) => {
        const clock = new StandingClock();
        const shard = new MemoryShard(clock, { ...SETTINGS, batchSize, bodyBytes: 10_000 });
        const { window, budget } = shard;
        let n = 0;
        shard.unread = (count) => {
          return Array.from({ length: n === 0 ? 1 : count }, () => [++n, `${n % keys}`, bytes] as const);
        };
        for (let taken = 0; taken < 100; clock.nowMs += 50) {
          expect(clock.nowMs).toBeLessThan(20_000);
          shard.exchange();
          expect(budget.used).toBeLessThanOrEqual(budget.limit + 2 * Math.max(budget.limit / 8, bytes + 100));
          for (let head = takeHead(window); head; head = takeHead(window), taken++) window.processed(head);
        }
      }),
    );
  });

  it('a window reads nothing new while loaded bodies use the whole budget', () => {
    const shard = new MemoryShard(new StandingClock());
    shard.read([1, 'a']);
    shard.window.pollNow();

    expect(shard.window.plan(0, NEED).read).toBeDefined();
    shard.window.readEnded();
    shard.budget.used = shard.budget.limit;
    expect(shard.window.plan(0, NEED).read).toBeUndefined();
  });

  it('a closed window counts no bytes', () => {
    const shard = new MemoryShard(new StandingClock());
    const { window, budget } = shard;
    shard.read([1, 'a'], [2, 'b']);
    const head = takeHead(window)!;

    window.close();
    window.processed(head);
    window.acknowledged([head], 0);
    shard.read([3, 'c']);

    expect(budget.used).toBe(0);
  });

  it('a window reads nothing new until it knows all pending entries, or while it knows too many', () => {
    const clock = new StandingClock();
    const shard = new MemoryShard(clock, { ...SETTINGS, viewLimit: 2 });
    const { window } = shard;
    window.listed({ rows: [ROW], isLast: false }, 0);

    const { listPending, read } = window.plan(0, NEED);
    expect([listPending?.after, read]).toEqual(['1-0', undefined]);
    expect(window.plan(0, NEED).listPending).toBeUndefined(); // it is under way
    window.listed({ rows: [{ ...ROW, id: '2-0' }], isLast: true }, 0);
    window.listingEnded();
    expect([window.isFull, window.plan(0, NEED).read]).toEqual([true, undefined]);
  });

  it("a window reports entries without a body as missing, and continues with the key's next entry", () => {
    const shard = new MemoryShard(new StandingClock());
    const { window, counts } = shard;
    for (const n of [1, 2]) shard.listPending(n, 'a', {});
    window.listed(
      {
        rows: [{ ...ROW, id: '9-0', key: undefined, bytes: 0 }],
        isLast: true,
      },
      0,
    );
    const { claim } = window.plan(0, NEED);
    window.claimed(claim!, [{ id: '2-0', fields: ['k', 'a'] }], { now: 0 });

    expect(takeHead(window)!.id).toBe('2-0');
    expect(window.results.take().missing).toEqual(['9-0', '1-0']);
    window.forgotten(1); // the other one exists: the group was recreated
    expect(counts).toMatchObject({ deleted: 1, recovered: 1 });
  });

  it('an entry whose run was killed waits for its back-off, up to 15 minutes', () => {
    const shard = new MemoryShard(new StandingClock());
    const { keys } = shard.window;
    shard.listPending(1, 'a', { entryFailures: 1, dueAt: 1e12 });
    expect(keys.nextDueAt).toBe(900_000);
    shard.listPending(2, 'b', { unconfirmedDeliveries: 2, idleMs: 50 });

    expect(keys.nextDueAt).toBe(150);
  });

  it('a due time that a wrong clock wrote holds an entry for 15 minutes, however many runs look at it', () => {
    const { window, shard } = shardWith(0);
    shard.listPending(1, 'a', { entryFailures: 1, dueAt: 1e12, idleMs: 600_000 });
    expect(window.keys.nextDueAt).toBe(300_000);
    shard.listPending(2, 'b', { entryFailures: 1, dueAt: 1e12, idleMs: 1_200_000 });

    expect([window.keys.nextDueAt, window.keys.unclaimed.failing.size]).toEqual([300_000, 1]);
  });

  it('a read asks for up to eight times as many entries as the largest so far, and at most a batch', () => {
    const shard = new MemoryShard(new StandingClock(), { ...SETTINGS, batchSize: 100 });
    const asked: number[] = [];
    let n = 0;
    shard.unread = (count) => {
      asked.push(count);
      return Array.from({ length: Math.min(count, 5) }, () => [++n, `${n}`] as const);
    };
    for (let index = 0; index < 2; index++) {
      shard.window.pollNow();
      shard.exchange({ ahead: 100 });
    }

    expect(asked).toEqual([20, 40]);
  });

  it("a window eventually reads past a busy key's entries, and gives that key's later ones back", () => {
    const clock = new StandingClock();
    const shard = new MemoryShard(clock, { ...SETTINGS, batchSize: 2, concurrency: 1 });
    shard.read(...Array.from({ length: 20 }, (_, index) => [index + 1, 'a'] as const));
    takeHead(shard.window);
    shard.window.pollNow();

    expect(shard.window.plan(clock.nowMs, NEED).read).toBeUndefined();
    clock.nowMs += 900;
    expect(shard.window.plan(clock.nowMs, NEED).read).toBeUndefined(); // no attempt has ended
    clock.nowMs += 100;
    expect(shard.window.plan(clock.nowMs, NEED).read).toBeDefined();
    shard.read([21, 'a'], [22, 'b']);
    expect(shard.window.results.take().unstarted.map(({ id }) => id)).toContain('21-0');
    expect(takeHead(shard.window)!.id).toBe('22-0');
  });

  it('a window reads past a busy key as many as are wanted, then twice as many each time, up to a batch', () => {
    const { shard, clock, plan } = shardWith(60, { key: 'a', settings: { batchSize: 20 } });
    let n = 60;
    const readPast = () => {
      shard.window.pollNow();
      const { count } = plan({ wanted: 3 }).read!;
      shard.window.readEnded();
      shard.read(...Array.from({ length: count }, () => [++n, 'a'] as const));
      return count;
    };
    plan();
    clock.nowMs += 1000;

    expect(Array.from({ length: 5 }, readPast)).toEqual([3, 6, 12, 20, 20]);
  });

  it('a window first lists what earlier runs left pending, from the beginning, and only once', () => {
    const { shard, clock } = shardWith(0);
    const firstRead = { count: 20, bytes: 0 };
    const window = new Window({ ...shard, settings: SETTINGS, keyFields: ['k'], clock, firstRead });
    expect(window.isDry(-Infinity)).toBe(false);

    expect(window.plan(0, NEED)).toEqual({ listPending: { after: '0-0', count: 250, bytes: 262_144 } });
    expect([window.isQuiet, window.plan(0, NEED).listPending]).toEqual([false, undefined]);
    window.listed({ rows: [ROW], isLast: false }, 0);
    window.listingEnded();
    expect(window.plan(0, NEED).listPending!.after).toBe('1-0');
    window.listed({ rows: [], isLast: true }, 0);
    window.listingEnded();
    expect(window.plan(0, NEED).listPending).toBeUndefined();
  });

  it('a window is quiet while no attempt, request or unsent result is under way', () => {
    const { window, shard, plan } = shardWith(0);
    const quiet: boolean[] = [window.isQuiet];
    plan();
    quiet.push(window.isQuiet);
    window.readEnded();
    shard.listPending(1, 'a', {});
    const { claim } = plan({ wanted: 0 });
    window.readEnded();
    quiet.push(window.isQuiet);
    window.claimed(claim!, [{ id: '1-0', fields: ['k', 'a'] }], { now: 0 });
    window.claimEnded();
    quiet.push(window.isQuiet);
    const head = takeHead(window)!;
    window.begin([head]);
    quiet.push(window.isQuiet);
    plan(); // one read and one attempt
    quiet.push(window.isQuiet);
    window.readEnded();
    window.end();
    quiet.push(window.isQuiet);
    window.processed(head);
    quiet.push(window.isQuiet);

    expect(quiet).toEqual([true, false, false, true, false, false, true, false]);
  });

  it('a window is spent when nothing can be attempted and the stream is empty or too much is loaded', () => {
    const { window, shard, clock } = shardWith(0, { settings: { viewLimit: 5 } });
    expect([window.isSpent(0), window.isDry(0), window.hasFresh]).toEqual([false, false, false]); // not read yet
    shard.read();
    expect([window.isDry(99), window.isSpent(99), window.isDry(100), window.isSpent(100)]).toEqual([
      true,
      true,
      false,
      false,
    ]);
    const spentAndFresh = (): boolean[] => [window.isSpent(99), window.hasFresh];

    const { suspects, unclaimed } = window.keys;
    shard.listPending(1, 'suspect', { unconfirmedDeliveries: 3 });
    expect(spentAndFresh()).toEqual([false, false]);
    const suspect = suspects.shift()!;
    shard.listPending(2, 'failed', { entryFailures: 1 });
    expect(spentAndFresh()).toEqual([false, false]);
    const failed = unclaimed.failing.shift()!;
    shard.listPending(3, 'left', {});
    expect(spentAndFresh()).toEqual([false, true]);
    const left = unclaimed.fresh.shift()!;
    shard.read([4, 'ready']);
    expect(spentAndFresh()).toEqual([false, true]);
    window.keys.ready.hot.push(window.keys.ready.fresh.shift()!);
    expect(spentAndFresh()).toEqual([false, true]);
    for (const [queue, pending] of [
      [suspects, suspect],
      [unclaimed.failing, failed],
      [unclaimed.fresh, left],
    ] as const) {
      queue.push(pending);
      expect(spentAndFresh()).toEqual([false, true]);
      queue.shift();
    }
    window.keys.ready.hot.shift();
    expect(spentAndFresh()).toEqual([true, false]);
    clock.nowMs = 200;
    expect(window.isSpent(200)).toBe(false);
    shard.listPending(5, 'late', { entryFailures: 1, dueAt: 1000 });
    expect([window.isFull, window.isSpent(200)]).toEqual([true, true]);
  });

  it('a window polls an empty stream after a delay, and reads on immediately after a full read', () => {
    const { window, shard, clock, plan } = shardWith(0);
    const reads = () => {
      const isReading = plan().read !== undefined;
      if (isReading) window.readEnded();
      return isReading;
    };
    clock.nowMs = 50;
    window.read([], 10, { pollMs: 100 }, 50);
    expect([window.lastEntryAt, window.nextEvents()[2], reads()]).toEqual([-Infinity, 150, false]);
    window.pollNow();
    expect(reads()).toBe(true);
    shard.read([1, 'a']);
    expect([window.lastEntryAt, reads()]).toEqual([50, false]);
    clock.nowMs = 150;
    expect(reads()).toBe(true);
    window.read([{ id: '2-0', fields: ['k', 'b'] }], 1, { pollMs: 100 }, 150);

    expect([window.lastEntryAt, reads()]).toEqual([150, true]);
  });

  it("a window's next events are results to send, due entries and the next read", () => {
    const { window, shard, plan } = shardWith(50, { key: 'a' });
    plan();
    expect(window.nextEvents()).toEqual([Infinity, Infinity, -Infinity, 1000]);
    window.results.missing('9-0');
    window.results.isDue(0, false);
    shard.listPending(60, 'b', { entryFailures: 1, dueAt: 70 });
    shard.read();

    expect(window.nextEvents()).toEqual([3, 70, 100, 1000]);
  });

  it('a window reads nothing while another read blocks', () => {
    const { window, plan } = shardWith(0);

    expect(plan({ blockMs: 400 }).read).toBeDefined();
    expect(plan().read).toBeUndefined(); // places are free, and the run no longer blocks
    window.readEnded();
    expect(plan().read).toBeDefined();
  });

  it('a window blocks for the next entry with a single read, even if a poll is due sooner', () => {
    const { window, shard, plan } = shardWith(0);
    shard.read();

    expect(plan({ blockMs: 5000 }).read).toEqual({ count: 10, blockMs: 5000 });
    expect(plan({ blockMs: 5000 }).read).toBeUndefined();
    window.readEnded();
    expect(plan({ blockMs: 5000 }).read).toBeDefined();
  });

  it.each([
    ['two at a time', 0, {}, 2],
    ['two while half of the entries ahead are missing', 10, {}, 2],
    ['one if that brings them', 11, {}, 1],
    ['one up to half of them', 20, {}, 1],
    ['none beyond', 21, {}, 0],
    ['one in trouble', 0, { isCalm: false }, 1],
    ['one past busy keys in trouble while places are free', 21, { isCalm: false }, 1],
    ['none in trouble when no place is free', 21, { isCalm: false, wanted: 0 }, 0],
  ] as const)('a window reads ahead: %s', (_, entries, need, expected) => {
    const { plan } = shardWith(entries);
    const read = [1, 2, 3].filter(() => plan(need).read !== undefined);

    expect(read).toHaveLength(expected);
  });

  it('a window doubles its read-ahead when a full read finds nothing waiting, until a read is not full', () => {
    const { window, shard, plan } = shardWith(0);
    const need = { ahead: 2 };
    const counts: number[] = [];
    let n = 0;
    const readFull = (isFull = true) => {
      const { count } = plan(need).read!;
      counts.push(count);
      const entries = Array.from({ length: isFull ? count : 0 }, () => ({ id: `${++n}-0`, fields: ['k', `${n}`] }));
      window.read(entries, count, NEED, 0);
      window.readEnded();
      for (let head = takeHead(window); head; head = takeHead(window)) window.begin([head]);
    };
    for (let index = 0; index < 3; index++) readFull();
    readFull(false);
    window.pollNow();
    readFull();

    expect([counts, shard.window.keys.waiting]).toEqual([[2, 4, 8, 10, 2], 0]);
  });

  it('a window does not read past a single-key shard, nor before all waiting heads are claimed', () => {
    const [clock, one] = [new StandingClock(), { keyFields: [] as string[] }];
    const shard = new MemoryShard(clock, SETTINGS, one);
    expect(shard.window.plan(0, { ...NEED, isCalm: false }).read).toBeDefined(); // it is empty
    shard.window.readEnded();
    shard.read(...Array.from({ length: 50 }, (_, index) => [index + 1, 'a'] as const));
    shard.window.pollNow();
    shard.window.plan(0, NEED);
    clock.nowMs = 1000;
    expect(shard.window.plan(1000, { ...NEED, isCalm: false }).read).toBeUndefined();

    const { shard: other, plan } = shardWith(0);
    for (let n = 1; n <= 11; n++) other.listPending(n, `${n}`, {}); // a claim takes ten
    expect(plan().read).toBeUndefined();
  });

  it('a window claims heads while fewer are ready than it may load ahead, and no more than it needs', () => {
    const { window, shard, plan } = shardWith(9);
    expect(plan({ failingWanted: 4 }).claim).toBeUndefined();
    shard.listPending(20, 'failed', { entryFailures: 1 });
    for (const n of [21, 22, 23]) shard.listPending(n, `failed ${n}`, { targetFailures: 1 });
    expect(plan().claim).toBeUndefined(); // their turn has not come
    shard.listPending(30, 'left', {});
    const idsOf = (entries?: readonly PendingEntry[]) => entries?.map(({ id }) => id);

    expect(plan({ isCalm: false }).claim).toBeUndefined();
    expect(idsOf(plan({ isCalm: false, failingWanted: 1 }).claim)).toEqual(['20-0']);
    expect(plan({ failingWanted: 1 }).claim).toBeUndefined(); // one claim at a time
    window.claimEnded();
    expect(idsOf(plan({ failingWanted: 2 }).claim)).toEqual(['21-0', '22-0', '30-0']);
    window.claimEnded();
    shard.listPending(31, 'later', {});
    shard.read([10, '10']);
    expect(plan().claim).toBeUndefined(); // ten are ready
  });

  it('a window claims a batch of heads with some entries behind each, up to one that waits or is loaded', () => {
    const claimed = (counts: Record<string, number>, known = {}) => {
      const { shard, plan, clock } = shardWith(0);
      clock.nowMs = 1000;
      let n = 0;
      for (const [key, count] of Object.entries(counts))
        for (let index = 0; index < count; index++) shard.listPending(++n, key, index === 2 ? known : { idleMs: 10 });
      return plan()
        .claim!.map(({ keyQueue }) => keyQueue.key)
        .join('');
    };

    expect(claimed(Object.fromEntries(Array.from('abcdefghijklm', (key) => [key, 2])))).toBe('abcdefghij');
    expect(claimed({ a: 20 })).toBe('aaaaaaaaaa');
    expect(claimed({ a: 9, b: 1, c: 9 })).toBe('aaabccc');
    expect(claimed({ a: 9, b: 9 }, { entryFailures: 1, dueAt: 2000 })).toBe('aabb');
    const { shard, window, plan } = shardWith(0);
    shard.listPending(1, 'a', {});
    shard.listPending(2, 'a', {});
    window.keys.arrived(window.keys.unclaimed.fresh.first!.next!, { id: '2-0', fields: [] }, false);
    expect(plan().claim!.map(({ id }) => id)).toEqual(['1-0']);
  });

  it('a window claims a head once the back-off for its killed run is over', () => {
    const { shard, window, plan, clock } = shardWith(0);
    shard.listPending(1, 'a', { unconfirmedDeliveries: 1, idleMs: 0 });
    expect(plan().claim).toBeUndefined();
    clock.nowMs = 100;
    window.keys.wake(100);

    expect(plan().claim).toHaveLength(1);
  });

  it('a window claims as many bodies as fit, and at least one while none is loaded', () => {
    const claimed = (bytes: number, keys: string[], used = 0) => {
      const { shard, plan } = shardWith(0, { settings: { bodyBytes: 800 } });
      shard.budget.used = used;
      keys.forEach((key, index) => shard.listPending(index + 1, key, { bytes }));
      return plan().claim?.length;
    };
    const keys = ['a', 'b', 'c', 'd', 'e'];
    const oneKey = ['a', 'a', 'a', 'a', 'a'];

    expect([claimed(50, keys), claimed(50, oneKey)]).toEqual([2, 2]); // an eighth of the limit
    expect([claimed(50, keys, 700), claimed(50, oneKey, 700)]).toEqual([1, 1]); // half of what is left
    expect([claimed(50, keys, 900), claimed(50, oneKey, 900)]).toEqual([undefined, undefined]);
    expect([claimed(500, keys), claimed(500, oneKey)]).toEqual([1, 1]);
    const { shard, plan } = shardWith(1, { settings: { bodyBytes: 800 } });
    shard.listPending(2, 'left', {});
    shard.budget.used = 800;
    expect(plan().claim).toBeUndefined();
    shard.budget.used = 799;
    expect(plan().claim).toHaveLength(1);
  });

  it("a window learns an entry's size from its body, and drops entries whose bodies were deleted", () => {
    const { shard, window, plan } = shardWith(0);
    shard.listPending(1, 'a', { bytes: 0 });
    shard.listPending(2, 'b', { bytes: 7 });
    shard.listPending(3, 'c', {});
    const bodies = [1, 2].map((n) => ({ id: `${n}-0`, fields: ['k', 'a', 'v', 'x'.repeat(90)] }));
    const claim = plan().claim!;
    window.claimed(claim, bodies, { now: 0 });

    expect(claim.map(({ bytes }) => bytes)).toEqual([expect.any(Number), 7, 10]);
    expect(claim[0]!.bytes).toBeGreaterThan(90);
    expect([window.keys.size, window.results.take().missing]).toEqual([2, ['3-0']]);
  });

  it("a window gives a new entry back when memory is full, unless it is its key's only one", () => {
    const givenBack = (entries: number, used: number) => {
      const { shard, window } = shardWith(entries, { key: 'a' });
      if (used > 0) shard.budget.used = used;
      shard.read([1001, 'a'], [1002, 'new']);
      return window.results.take().unstarted.map(({ id }) => id);
    };

    expect([givenBack(10, 1e6), givenBack(10, 1e6 - 100), givenBack(63, 0), givenBack(64, 0)]).toEqual([
      ['1001-0'],
      [],
      [],
      ['1001-0'],
    ]);
  });

  it('a window keeps an entry that the group delivers anew while its acknowledgement is on its way', () => {
    const { shard, window } = shardWith(1, { key: 'a' });
    const head = takeHead(window)!;
    window.begin([head]);
    shard.read([1, 'a']);
    window.end();
    window.processed(head);
    expect(head.isRedelivered).toBe(true);

    window.missed([head.next!], [head.id], 0); // it was given back before the acknowledgement was made good
    shard.exchange();

    expect(takeHead(window)).toMatchObject({ id: head.id, stage: 'inProgress' });
  });

  it('a window makes larger reads again after large entries', () => {
    const { shard, plan, window, counts } = shardWith(0, { settings: { batchSize: 1000, bodyBytes: 160_000 } });
    const asked = () => {
      const { read } = plan({ ahead: 10_000 });
      window.readEnded();
      return read!.count;
    };
    shard.read([1, 'large', 990], ...[2, 3, 4, 5].map((n) => [n, 'small'] as const)); // eight times as many come next
    window.pollNow();
    const before = asked();
    expect(before).toBeGreaterThan(3); // an eighth of the limit, if the next are four times as large
    expect(before).toBeLessThanOrEqual(5);
    shard.read(...Array.from({ length: 700 }, (_, index) => [index + 6, `${index}`] as const));
    window.pollNow();

    expect(asked()).toBeGreaterThan(before * 1.5);
    expect(counts.read).toBe(705);
  });

  it('a window counts an entry as failed until its next attempt or its dead letter, and as recovered once', () => {
    const { window, shard, counts, clock } = shardWith(1);
    const pending = takeHead(window)!;
    const fail = () => {
      window.begin([pending]);
      window.end();
      pending.entryFailures++;
      window.retry(pending, clock.nowMs);
      shard.exchange();
    };
    fail();
    expect([counts.failed, pending.hasState]).toEqual([1, true]);
    takeHead(window);
    fail();
    expect([counts.failed, counts.recovered]).toEqual([2, 0]); // this run has read it itself
    window.bury(pending, LETTER);
    expect([counts.failed, window.keys.readySize]).toEqual([1, 0]); // no longer handed out
    const { burials } = window.results.take();
    expect(burials).toEqual([{ pending, key: '0', letter: LETTER }]);
    window.burialRefused(burials[0]!, 50);
    expect([counts.failed, counts.deadLettered, window.keys.nextDueAt]).toEqual([2, 0, 250]); // two failures: 200 ms
    window.bury(pending, LETTER);
    window.buried(burials[0]!, 'deleted', 50);
    expect(counts).toMatchObject({ failed: 1, deadLettered: 0, deleted: 1, processed: 0 });
    window.results.take();
    window.rewrite(pending);
    expect([window.results.size, window.keys.size]).toEqual([0, 0]); // nothing is written about one that has left

    shard.read([2, 'b']);
    window.bury(takeHead(window)!, LETTER); // never attempted here
    shard.read([4, 'd']);
    const refused = takeHead(window)!;
    window.begin([refused]);
    window.end();
    window.bury(refused, LETTER); // at its first attempt
    expect(counts.failed).toBe(1);
    shard.listPending(3, 'c', {});
    shard.exchange();
    const recovered = takeHead(window)!;
    window.retry(recovered, 0);
    shard.exchange();
    expect(counts).toMatchObject({ recovered: 1, deadLettered: 2 });
  });

  it('the back-off after a refused dead letter counts unconfirmed deliveries too', () => {
    const { window, shard } = shardWith(0);
    shard.listPending(1, 'a', { unconfirmedDeliveries: 3, crashes: 3 });
    const pending = window.keys.suspects.shift()!;
    window.bury(pending, LETTER);
    window.burialRefused({ pending, key: 'a', letter: LETTER }, 0);

    expect(window.keys.nextDueAt).toBe(400);
  });

  it('a window rewrites the state of a failed entry that still waits, and gives back the entries behind it', () => {
    const { window } = shardWith(2, { key: 'a' });
    const pending = takeHead(window)!;
    window.retry(pending, 100);
    const { failed, unstarted } = window.results.take();
    expect([failed, unstarted.map(({ id }) => id)]).toEqual([[pending], ['2-0']]);
    window.rewrite(pending);

    expect(window.results.take().failed).toEqual([pending]);
  });

  it('a window knows which entries have state on the server', () => {
    const { window, shard } = shardWith(1);
    const left = [{}, { entryFailures: 1 }, { targetFailures: 1 }, { crashes: 1 }, { unconfirmedDeliveries: 1 }];
    left.forEach((known, index) => shard.listPending(10 + index, `left ${index}`, known));
    const { unclaimed } = window.keys;
    const entries = [...left.keys()].map(() => unclaimed.fresh.shift() ?? unclaimed.failing.shift()!);

    expect(takeHead(window)!.hasState).toBe(false);
    const remembered = entries.filter(({ hasState }) => hasState).map(({ id }) => id);
    expect(remembered.toSorted()).toEqual(['11-0', '12-0', '13-0']);
  });

  it("a window converts due times from the server's clock to its own", () => {
    const { window, shard, clock } = shardWith(0);
    clock.nowMs = 500;
    clock.epochMs = () => 1_000_500;
    shard.listPending(1, 'a', { entryFailures: 1, dueAt: 1_000_700 });

    expect(window.keys.nextDueAt).toBe(700);
  });

  it('a closed window counts a late read and drops its entries', () => {
    const { window, shard, counts } = shardWith(0);
    window.close();
    shard.read([1, 'a'], [2, 'b']);

    expect([counts.read, window.keys.size, window.lastEntryAt]).toEqual([2, 0, -Infinity]);
  });
});
