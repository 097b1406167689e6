import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { RedisGroup } from '#lib/consumer/group/redis-group.ts';
import { pause } from '#lib/consumer/operator/pause.ts';
import { leaseKeyOf } from '#lib/consumer/redis-keys.ts';
import type { Target } from '#lib/consumer/targets/target.ts';
import type { Redis } from '#lib/redis/redis.ts';
import { failure, recorder } from '#test/support/consumer/consumer-fixture.ts';
import { useConsumer } from '#test/support/consumer/use-consumer.ts';

const fixture = await useConsumer('anew');
const COUNT = 40;
const names = Array.from({ length: COUNT }, (_, index) => `k${index % 10}=${index}`);

type Replay = (ids: readonly string[], from: number) => Promise<unknown>;

/** An operator's replay: atomically destroys the group and recreates it after the first entries. */
const recreate: Replay = (ids, from) => {
  const { stream } = fixture;
  const commands = [
    ['MULTI'],
    ['XGROUP', 'DESTROY', stream, 'g'],
    ['XGROUP', 'CREATE', stream, 'g', ids[from - 1] ?? '0'],
    ['EXEC'],
  ];
  return Promise.all(commands.map((words) => fixture.send(...words)));
};

/** Another: sets the group back, whose pending entries stay pending. */
const setBack: Replay = (ids, from) => fixture.send('XGROUP', 'SETID', fixture.stream, 'g', ids[from - 1] ?? '0');

/** Simulates a run that read entries and was killed. */
async function leavePending(count: number): Promise<void> {
  await fixture.send('XGROUP', 'CREATE', fixture.stream, 'g', '0');
  await fixture.send('XREADGROUP', 'GROUP', 'g', 'c', 'COUNT', `${count}`, 'STREAMS', fixture.stream, '>');
}

/** Redis for a process that is killed: from then on, none of its commands is sent. */
function mortal() {
  let isDead = false;
  const never = new Promise<never>(() => {});
  const redis: Redis = {
    ...fixture.redis,
    slotOf: () => 0,
    send: async (command) => (isDead ? never : fixture.redis.send(command)),
  };
  return { redis, kill: () => (isDead = true), isDead: () => isDead };
}

describe.each([
  ['a recreated group', recreate],
  ['a group that is set back', setBack],
])('%s in the middle of a run', (_, replay) => {
  it.each([
    ['from the beginning', 0, 0],
    ['in the middle', 20, 0],
    ['from the beginning, while entries of an earlier run are taken up', 0, 30],
  ])('has all its entries carried when the run is killed: %s', async (_, from, pending) => {
    const ids = await fixture.add(...names);
    if (pending > 0) await leavePending(pending);
    const process = mortal();
    let replayedAt = Infinity;
    const target = recorder(async (name) => {
      if (process.isDead()) await new Promise(() => {});
      await sleep(3);
      if (target.processed.length === 12 && replayedAt === Infinity) {
        replayedAt = target.processed.length;
        await replay(ids, from);
      }
      if (target.processed.length === replayedAt + 12) process.kill();
      if (name === 'k3=13' && target.attempted.filter((each) => each === name).length < 2) throw failure();
    });
    // a killed run ends by its deadline
    void fixture.run(target, { redis: process.redis, batchSize: 5, concurrency: 3, backoffMs: 1, budgetMs: 5000 });
    while (!process.isDead()) await sleep(5);
    await fixture.send('DEL', leaseKeyOf(fixture.stream, 'g'));
    const before = target.processed.slice(replayedAt);
    const next = recorder();

    const report = await fixture.run(next, { backoffMs: 1 });

    const missing = names.slice(from).filter((name) => !before.includes(name) && !next.processed.includes(name));
    expect(missing).toEqual([]);
    const all = [...target.processed, ...next.processed];
    const last = new Map(all.map((name) => [name.split('=')[0], name]));
    expect([...last.values()].sort()).toEqual(names.slice(-10).sort()); // the latest of each key comes last
    expect(report).toMatchObject({ deleted: 0, pending: 0, lag: 0 });
  });

  it('delivers an entry during its attempt, which is carried again, also by the next run', async () => {
    const ids = await fixture.add('a=1', 'b=1');
    const process = mortal();
    const target = recorder(async (name) => {
      if (process.isDead()) await new Promise(() => {});
      if (name !== 'a=1') return;
      if (target.attempted.filter((each) => each === name).length > 1) process.kill();
      else {
        await replay(ids, 0);
        while (target.attempted.filter((each) => each === 'b=1').length < 2) await sleep(5); // delivered again
      }
    });
    void fixture.run(target, { redis: process.redis, concurrency: 2, budgetMs: 5000 });
    while (!process.isDead()) await sleep(5);
    await fixture.send('DEL', leaseKeyOf(fixture.stream, 'g'));
    const next = recorder();

    await fixture.run(next, { backoffMs: 1 });

    expect(next.processed).toContain('a=1');
  });

  it('delivers a batch of a single-key shard during its attempt, and all its entries are carried again', async () => {
    const ids = await fixture.add('a=1', 'b=1', 'c=1');
    const batches: string[][] = [];
    const deliveredTo = async () => (await fixture.send<string[][]>('XINFO', 'GROUPS', fixture.stream))[0]![7];
    const target: Target = {
      ...recorder(),
      keyFields: [],
      batch: {
        size: 3,
        async process(entries) {
          batches.push(entries.map(({ entry: { id } }) => id));
          if (batches.length > 1) return new Set();
          await replay(ids, 0);
          while ((await deliveredTo()) !== ids[2]) await sleep(5);
          return new Set([ids[1]!]);
        },
      },
    };

    const report = await fixture.run(target, { maxAgeMs: 1, budgetMs: 5000 });

    expect(batches[0]).toEqual(ids);
    expect(batches.slice(1).flat()).toEqual(expect.arrayContaining([ids[0], ids[2]]));
    expect(report).toMatchObject({ deadLettered: 1, deleted: 0, pending: 0, lag: 0 });
  });

  it('loses no entry that fails once, and counts none as deleted', async () => {
    const ids = await fixture.add(...names);
    let replayedAt = Infinity;
    const failed = new Set<string>();
    const target = recorder(async (name) => {
      await sleep(2);
      if (target.processed.length === 12 && replayedAt === Infinity) {
        replayedAt = target.processed.length;
        await replay(ids, 0);
      }
      const isLate = target.processed.length > replayedAt;
      if (isLate && !failed.has(name) && Number(name.split('=')[1]) % 3 === 0) {
        failed.add(name);
        throw failure();
      }
    });

    const report = await fixture.run(target, { batchSize: 10, concurrency: 3, backoffMs: 50, budgetMs: 20_000 });

    const after = target.processed.slice(replayedAt);
    expect(names.filter((name) => !after.includes(name))).toEqual([]);
    expect(report).toMatchObject({ deleted: 0, deadLettered: 0, pending: 0, lag: 0, stoppedBecause: 'drained' });
  });
});

it('a run keeps what a recreated group delivers after a claim that found nothing pending', async () => {
  const ids = await fixture.add('a=1', 'b=1');
  await fixture.send('XGROUP', 'CREATE', fixture.stream, 'g', '0');
  const { stream } = fixture;
  const options = { stream, group: 'g', leaseMs: 60_000, startId: '0', keyFields: ['k'], deadLetterStream: 'dead' };
  const group = new RedisGroup(fixture.redis, options);
  await group.acquire();
  await group.read(2);
  await recreate(ids, 0);

  expect(await group.claim(ids)).toEqual([]);
  await group.read(2);
  await fixture.send('XDEL', stream, ids[1]!);
  expect(await group.forgetDeleted(ids)).toBe(1);

  expect((await fixture.pending()).map(([id]) => id)).toEqual([ids[0]]);
});

it('an entry whose second delivery arrives after the acknowledgement of the first stays for the next run', async () => {
  const ids = await fixture.add('a=1');
  let isReadAgain = false;
  const target = recorder(async () => {
    await setBack(ids, 0);
    await fixture.add('b=1'); // a blocked read is answered
    while (!isReadAgain) await sleep(5);
  });
  /** The reply to the second read travels until the first is acknowledged, and the run is told of a pause. */
  const send: Redis['send'] = async (command) => {
    const reply = await fixture.redis.send(command);
    if (command.args[0] !== 'XREADGROUP' || target.attempted.length === 0) return reply;
    isReadAgain = true;
    await pause(fixture.redis, { streams: [fixture.stream], group: fixture.group, forMs: 60_000 });
    await sleep(1000);
    return reply;
  };

  const report = await fixture.run(target, { redis: { ...fixture.redis, slotOf: () => 0, send }, budgetMs: 5000 });

  expect(report).toMatchObject({ stoppedBecause: 'paused', processed: 1 });
  expect((await fixture.pending()).map(([id]) => id)).toContain(ids[0]);
});
