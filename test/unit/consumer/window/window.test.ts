import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { PendingEntry } from '#lib/consumer/window/pending-entry.ts';
import { Window, type Need } from '#lib/consumer/window/window.ts';
import { NEED, SETTINGS, ShardAlone, StandingClock } from '#test/support/consumer/shard-alone.ts';

/** Takes the next ready head, whatever kind it is. */
function takeHead({ keys }: Window): PendingEntry | undefined {
  return keys.ready.failing.shift() ?? keys.ready.hot.shift() ?? keys.ready.fresh.shift();
}

const LETTER = { sourceId: '1-0', reason: 'bad', errorType: 'X', deliveries: 1, time: 0 };
const ROW = { id: '1-0', key: 'a', bytes: 1, idleMs: 0, unended: 0, own: 0, outages: 0, crashes: 0, dueAt: 0 };

/** A shard with so many new entries, each of its own key, or all of one. */
function shardWith(entries: number, { settings = {}, key = '' } = {}) {
  const clock = new StandingClock();
  const shard = new ShardAlone(clock, { ...SETTINGS, ...settings });
  shard.read(...Array.from({ length: entries }, (_, at) => [at + 1, key || `${at}`] as const));
  shard.window.pollNow();
  const plan = (need: Partial<Need> = {}) => shard.window.plan(clock.at, { ...NEED, ...need });
  return { ...{ clock, shard, plan }, window: shard.window, counts: shard.counts };
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
    shard.read([1, 'a']);
    shard.window.pollNow();

    expect(shard.window.plan(0, NEED).read).toBeDefined();
    shard.window.readEnded();
    shard.budget.used = shard.budget.limit;
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

  it('reports entries without a body as missing, and goes on with the next of their key', () => {
    const shard = new ShardAlone(new StandingClock());
    const { window, counts } = shard;
    for (const n of [1, 2]) shard.lookUp(n, 'a', {});
    window.lookedUp({ rows: [{ id: '9-0', key: undefined, bytes: 0, idleMs: 0, unended: 0, own: 0, outages: 0, crashes: 0, dueAt: 0 }], isLast: true }, 0); // prettier-ignore
    const { claim } = window.plan(0, NEED);
    window.claimed(claim!, [{ id: '2-0', fields: ['k', 'a'] }], { now: 0 });

    expect(takeHead(window)!.id).toBe('2-0');
    expect(window.outcomes.take().missing).toEqual(['9-0', '1-0']);
    window.forgotten(1); // the other one exists: the group was made anew
    expect(counts).toMatchObject({ deleted: 1, recovered: 1 });
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
      shard.exchange({ ahead: 100 });
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

  it('looks up first what earlier runs left, from the beginning, and once only', () => {
    const { shard, clock } = shardWith(0);
    const window = new Window({ ...shard, settings: SETTINGS, keyFields: ['k'], clock, firstRead: 20 });
    expect(window.isDry(-Infinity)).toBe(false);

    expect(window.plan(0, NEED)).toEqual({ lookUp: { after: '0-0', count: 500, bytes: 262_144 } });
    expect([window.isQuiet, window.plan(0, NEED).lookUp]).toEqual([false, undefined]);
    window.lookedUp({ rows: [ROW], isLast: false }, 0);
    window.lookUpEnded();
    expect(window.plan(0, NEED).lookUp!.after).toBe('1-0');
    window.lookedUp({ rows: [], isLast: true }, 0);
    window.lookUpEnded();
    expect(window.plan(0, NEED).lookUp).toBeUndefined();
  });

  it('is quiet while no attempt, request or unsent result is under way', () => {
    const { window, shard, plan } = shardWith(0);
    const quiet: boolean[] = [window.isQuiet];
    plan();
    quiet.push(window.isQuiet);
    window.readEnded();
    shard.lookUp(1, 'a', {});
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
    window.taken(head);
    quiet.push(window.isQuiet);

    expect(quiet).toEqual([true, false, false, true, false, false, true, false]);
  });

  it('is spent when nothing can be attempted, and the stream is empty or too much is in view', () => {
    const { window, shard, clock } = shardWith(0, { settings: { viewLimit: 5 } });
    expect([window.isSpent(0), window.isDry(0), window.hasFresh]).toEqual([false, false, false]); // not read yet
    shard.read();
    expect([window.isDry(99), window.isSpent(99), window.isDry(100), window.isSpent(100)]).toEqual([true, true, false, false]); // prettier-ignore
    const spentAndFresh = (): boolean[] => [window.isSpent(99), window.hasFresh];

    const { suspects, unclaimed } = window.keys;
    shard.lookUp(1, 'suspect', { unended: 3 });
    expect(spentAndFresh()).toEqual([false, false]);
    const suspect = suspects.shift()!;
    shard.lookUp(2, 'failed', { own: 1 });
    expect(spentAndFresh()).toEqual([false, false]);
    const failed = unclaimed.failing.shift()!;
    shard.lookUp(3, 'left', {});
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
    clock.at = 200;
    expect(window.isSpent(200)).toBe(false);
    shard.lookUp(5, 'late', { own: 1, dueAt: 1000 });
    expect([window.isFull, window.isSpent(200)]).toEqual([true, true]);
  });

  it('reads an empty stream again after a while, and a full one at once', () => {
    const { window, shard, clock, plan } = shardWith(0);
    const reads = () => {
      const isReading = plan().read !== undefined;
      if (isReading) window.readEnded();
      return isReading;
    };
    clock.at = 50;
    window.read([], 10, { pollMs: 100 }, 50);
    expect([window.lastEntryAt, window.nextEvents()[2], reads()]).toEqual([-Infinity, 150, false]);
    window.pollNow();
    expect(reads()).toBe(true);
    shard.read([1, 'a']);
    expect([window.lastEntryAt, reads()]).toEqual([50, false]);
    clock.at = 150;
    expect(reads()).toBe(true);
    window.read([{ id: '2-0', fields: ['k', 'b'] }], 1, { pollMs: 100 }, 150);

    expect([window.lastEntryAt, reads()]).toEqual([150, true]);
  });

  it('says when there may be something to do: results to send, entries due, another read', () => {
    const { window, shard, plan } = shardWith(50, { key: 'a' });
    plan();
    expect(window.nextEvents()).toEqual([Infinity, Infinity, -Infinity, 100]);
    window.outcomes.missing('9-0');
    window.outcomes.isDue(0, false);
    shard.lookUp(60, 'b', { own: 1, dueAt: 70 });
    shard.read();

    expect(window.nextEvents()).toEqual([3, 70, 100, 100]);
  });

  it('blocks for the next entry with a single read, even before the stream is due again', () => {
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
  ] as const)('reads ahead: %s', (_, entries, need, expected) => {
    const { plan } = shardWith(entries);
    const read = [1, 2, 3].filter(() => plan(need).read !== undefined);

    expect(read).toHaveLength(expected);
  });

  it('reads twice as far ahead when a full read finds nothing waiting, until a read is not full', () => {
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
    for (let at = 0; at < 3; at++) readFull();
    readFull(false);
    window.pollNow();
    readFull();

    expect([counts, shard.window.keys.waiting]).toEqual([[2, 4, 8, 10, 2], 0]);
  });

  it('does not read past a shard that is one key, nor before all waiting heads are claimed', () => {
    const [clock, one] = [new StandingClock(), { keyFields: [] as string[] }];
    const shard = new ShardAlone(clock, SETTINGS, one);
    expect(shard.window.plan(0, { ...NEED, isCalm: false }).read).toBeDefined(); // it is empty
    shard.window.readEnded();
    shard.read(...Array.from({ length: 50 }, (_, at) => [at + 1, 'a'] as const));
    shard.window.pollNow();
    shard.window.plan(0, NEED);
    clock.at = 1000;
    expect(shard.window.plan(1000, { ...NEED, isCalm: false }).read).toBeUndefined();

    const { shard: other, plan } = shardWith(0);
    for (let n = 1; n <= 11; n++) other.lookUp(n, `${n}`, {}); // a claim takes ten
    expect(plan().read).toBeUndefined();
  });

  it('claims heads while fewer are ready than a batch and all places take, and only what it needs', () => {
    const { window, shard, plan } = shardWith(9);
    expect(plan({ failingWanted: 4 }).claim).toBeUndefined();
    shard.lookUp(20, 'failed', { own: 1 });
    for (const n of [21, 22, 23]) shard.lookUp(n, `failed ${n}`, { outages: 1 });
    expect(plan().claim).toBeUndefined(); // their turn has not come
    shard.lookUp(30, 'left', {});
    const idsOf = (entries?: readonly PendingEntry[]) => entries?.map(({ id }) => id);

    expect(plan({ isCalm: false }).claim).toBeUndefined();
    expect(idsOf(plan({ isCalm: false, failingWanted: 1 }).claim)).toEqual(['20-0']);
    expect(plan({ failingWanted: 1 }).claim).toBeUndefined(); // one claim at a time
    window.claimEnded();
    expect(idsOf(plan({ failingWanted: 2 }).claim)).toEqual(['21-0', '22-0', '30-0']);
    window.claimEnded();
    shard.lookUp(31, 'later', {});
    shard.read([10, '10']);
    expect(plan().claim).toBeUndefined(); // ten are ready
  });

  it('claims a batch of heads, or some entries of each, up to one that waits or has its body', () => {
    const claimed = (counts: Record<string, number>, known = {}) => {
      const { shard, plan, clock } = shardWith(0);
      clock.at = 1000;
      let n = 0;
      for (const [key, count] of Object.entries(counts)) for (let at = 0; at < count; at++) shard.lookUp(++n, key, at === 2 ? known : { idleMs: 10 }); // prettier-ignore
      return plan()
        .claim!.map(({ keyQueue }) => keyQueue.key)
        .join('');
    };

    expect(claimed(Object.fromEntries(Array.from('abcdefghijklm', (key) => [key, 2])))).toBe('abcdefghij');
    expect(claimed({ a: 20 })).toBe('aaaaaaaaaa');
    expect(claimed({ a: 9, b: 1, c: 9 })).toBe('aaabccc');
    expect(claimed({ a: 9, b: 9 }, { own: 1, dueAt: 2000 })).toBe('aabb');
    const { shard, window, plan } = shardWith(0);
    shard.lookUp(1, 'a', {});
    shard.lookUp(2, 'a', {});
    window.keys.arrived(window.keys.unclaimed.fresh.first!.next!, { id: '2-0', fields: [] }, false);
    expect(plan().claim!.map(({ id }) => id)).toEqual(['1-0']);
  });

  it('claims a head that has waited long enough since its run was killed', () => {
    const { shard, window, plan, clock } = shardWith(0);
    shard.lookUp(1, 'a', { unended: 1, idleMs: 0 });
    expect(plan().claim).toBeUndefined();
    clock.at = 100;
    window.keys.wake(100);

    expect(plan().claim).toHaveLength(1);
  });

  it('claims as many bodies as fit, and one when nothing is ready, however large', () => {
    const claimed = (bytes: number, keys: string[], used = 0) => {
      const { shard, plan } = shardWith(0, { settings: { bodyBytes: 800 } });
      shard.budget.used = used;
      keys.forEach((key, at) => shard.lookUp(at + 1, key, { bytes }));
      return plan().claim?.length;
    };
    const keys = ['a', 'b', 'c', 'd', 'e'];
    const oneKey = ['a', 'a', 'a', 'a', 'a'];

    expect([claimed(50, keys), claimed(50, oneKey)]).toEqual([2, 2]); // an eighth of the limit
    expect([claimed(50, keys, 700), claimed(50, oneKey, 700)]).toEqual([1, 1]); // half of what is left
    expect([claimed(50, keys, 900), claimed(50, oneKey, 900)]).toEqual([1, 1]);
    expect([claimed(500, keys), claimed(500, oneKey)]).toEqual([1, 1]);
    const { shard, plan } = shardWith(1, { settings: { bodyBytes: 800 } });
    shard.lookUp(2, 'left', {});
    shard.budget.used = 800;
    expect(plan().claim).toBeUndefined(); // something is ready
    shard.budget.used = 799;
    expect(plan().claim).toHaveLength(1);
  });

  it('learns the size of an entry with its body, and goes on without those whose bodies were deleted', () => {
    const { shard, window, plan } = shardWith(0);
    shard.lookUp(1, 'a', { bytes: 0 });
    shard.lookUp(2, 'b', { bytes: 7 });
    shard.lookUp(3, 'c', {});
    const bodies = [1, 2].map((n) => ({ id: `${n}-0`, fields: ['k', 'a', 'v', 'x'.repeat(90)] }));
    const claim = plan().claim!;
    window.claimed(claim, bodies, { now: 0 });

    expect(claim.map(({ bytes }) => bytes)).toEqual([expect.any(Number), 7, 10]);
    expect(claim[0]!.bytes).toBeGreaterThan(90);
    expect([window.keys.size, window.outcomes.take().missing]).toEqual([2, ['3-0']]);
  });

  it('gives a new entry back when memory is full, unless it is the only one of its key', () => {
    const held = (entries: number, used: number) => {
      const { shard, window } = shardWith(entries, { key: 'a' });
      if (used > 0) shard.budget.used = used;
      shard.read([1001, 'a'], [1002, 'new']);
      return window.outcomes.take().held.map(({ id }) => id);
    };

    expect([held(10, 1e6), held(10, 1e6 - 100), held(63, 0), held(64, 0)]).toEqual([['1001-0'], [], [], ['1001-0']]);
  });

  it('asks for larger reads again once large entries are behind', () => {
    const { shard, plan, window, counts } = shardWith(0, { settings: { batchSize: 1000, bodyBytes: 160_000 } });
    const asked = () => {
      const { read } = plan({ ahead: 10_000 });
      window.readEnded();
      return read!.count;
    };
    shard.read([1, 'large', 990], ...[2, 3, 4, 5].map((n) => [n, 'small'] as const)); // eight times as many come next
    window.pollNow();
    const before = asked();
    expect(before).toBeGreaterThan(15); // an eighth of the limit
    expect(before).toBeLessThanOrEqual(20);
    shard.read(...Array.from({ length: 700 }, (_, at) => [at + 6, `${at}`] as const));
    window.pollNow();

    expect(asked()).toBeGreaterThan(before * 1.5);
    expect(counts.read).toBe(705);
  });

  it('counts an entry as failed until it is tried again or given up, and as recovered once', () => {
    const { window, shard, counts, clock } = shardWith(1);
    const pending = takeHead(window)!;
    const fail = () => {
      window.begin([pending]);
      window.end();
      pending.own++;
      window.retry(pending, clock.at);
      shard.exchange();
    };
    fail();
    expect([counts.failed, pending.hasState]).toEqual([1, true]);
    takeHead(window);
    fail();
    expect([counts.failed, counts.recovered]).toEqual([2, 0]); // this run has read it itself
    window.bury(pending, LETTER);
    expect([counts.failed, window.keys.readySize]).toEqual([1, 0]); // no longer handed out
    const { burials } = window.outcomes.take();
    expect(burials).toEqual([{ pending, key: '0', letter: LETTER }]);
    window.burialRefused(burials[0]!, 50);
    expect([counts.failed, counts.deadLettered, window.keys.nextDueAt]).toEqual([2, 0, 250]); // two failures: 200 ms
    window.bury(pending, LETTER);
    window.buried(burials[0]!, 'deleted', 50);
    expect(counts).toMatchObject({ failed: 1, deadLettered: 0, deleted: 1, processed: 0 });
    window.outcomes.take();
    window.rewrite(pending);
    expect([window.outcomes.size, window.keys.size]).toEqual([0, 0]); // nothing is written about one that has left

    shard.read([2, 'b']);
    window.bury(takeHead(window)!, LETTER); // never attempted here
    shard.read([4, 'd']);
    const refused = takeHead(window)!;
    window.begin([refused]);
    window.end();
    window.bury(refused, LETTER); // at its first attempt
    expect(counts.failed).toBe(1);
    shard.lookUp(3, 'c', {});
    shard.exchange();
    const recovered = takeHead(window)!;
    window.retry(recovered, 0);
    shard.exchange();
    expect(counts).toMatchObject({ recovered: 1, deadLettered: 2 });
  });

  it('rests after a refused letter for its deliveries of unknown result too', () => {
    const { window, shard } = shardWith(0);
    shard.lookUp(1, 'a', { unended: 3, crashes: 3 });
    const pending = window.keys.suspects.shift()!;
    window.bury(pending, LETTER);
    window.burialRefused({ pending, key: 'a', letter: LETTER }, 0);

    expect(window.keys.nextDueAt).toBe(400);
  });

  it('rewrites the state of a failed entry that still waits, and gives back those behind it', () => {
    const { window } = shardWith(2, { key: 'a' });
    const pending = takeHead(window)!;
    window.retry(pending, 100);
    const { failed, held } = window.outcomes.take();
    expect([failed, held.map(({ id }) => id)]).toEqual([[pending], ['2-0']]);
    window.rewrite(pending);

    expect(window.outcomes.take().failed).toEqual([pending]);
  });

  it('knows of which entries the server remembers something to forget', () => {
    const { window, shard } = shardWith(1);
    const left = [{}, { own: 1 }, { outages: 1 }, { crashes: 1 }, { unended: 1 }];
    left.forEach((known, at) => shard.lookUp(10 + at, `left ${at}`, known));
    const { unclaimed } = window.keys;
    const entries = [...left.keys()].map(() => unclaimed.fresh.shift() ?? unclaimed.failing.shift()!);

    expect(takeHead(window)!.hasState).toBe(false);
    const remembered = entries.filter(({ hasState }) => hasState).map(({ id }) => id);
    expect(remembered.toSorted()).toEqual(['11-0', '12-0', '13-0']);
  });

  it("takes the due time by the server's clock over into its own", () => {
    const { window, shard, clock } = shardWith(0);
    clock.at = 500;
    clock.epochMs = () => 1_000_500;
    shard.lookUp(1, 'a', { own: 1, dueAt: 1_000_700 });

    expect(window.keys.nextDueAt).toBe(700);
  });

  it('keeps nothing of a read that arrives after its end, except its number', () => {
    const { window, shard, counts } = shardWith(0);
    window.close();
    shard.read([1, 'a'], [2, 'b']);

    expect([counts.read, window.keys.size, window.lastEntryAt]).toEqual([2, 0, -Infinity]);
  });
});
