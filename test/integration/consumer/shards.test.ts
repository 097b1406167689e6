import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { leaseKeyOf } from '#lib/consumer/redis-keys.ts';
import { ConnectorError } from '#lib/core/errors.ts';
import type { Redis } from '#lib/redis/redis.ts';
import { openRedis, recorder, type Recorder } from '../../support/consumer/consumer-fixture.ts';
import { useConsumer } from '../../support/consumer/use-consumer.ts';

const SHARDS = 16;
const fixture = await useConsumer('shards');

/** Adds entries of 8 keys to each shard: `s<shard>k<key>=<n>`. */
async function fill(perShard: number, shards = SHARDS): Promise<number> {
  for (let shard = 0; shard < shards; shard++) {
    const names = Array.from({ length: perShard }, (_, n) => [`s${shard}k${n % 8}`, `${n}`] as const);
    await Promise.all(names.map(([k, v]) => fixture.send('XADD', `${fixture.stream}:${shard}`, '*', 'k', k, 'v', v)));
  }
  return perShard * shards;
}

function expectOrder({ processed }: Pick<Recorder, 'processed'>): void {
  const byKey = Map.groupBy(processed, (name) => name.split('=')[0]!);
  for (const names of byKey.values()) {
    const values = names.map((name) => Number(name.split('=')[1]));
    expect(values).toEqual(values.toSorted((a, b) => a - b));
  }
}

describe('a run over several shards', () => {
  it('a run over several shards carries their entries in order, and reports on all of them', async () => {
    const total = await fill(50);
    const target = recorder(() => sleep(1));

    const report = await fixture.run(target, { shards: SHARDS, concurrency: 20 });

    expect(report).toMatchObject({ read: total, processed: total, pending: 0, lag: 0, groupsCreated: SHARDS });
    expect(report.stoppedBecause).toBe('drained');
    expectOrder(target);
    expect(await fixture.send('KEYS', '*:lease:g')).toEqual([]);
  });

  it('an idle group costs one read-only script per shard, in one packet', async () => {
    await fill(1);
    await fixture.run(recorder(), { shards: SHARDS });
    const sent: string[][] = [];
    let ticks = 0;
    const redis = {
      ...fixture.redis,
      slotOf: () => 0,
      send: ((command) => {
        if (sent.length === 0) setImmediate(() => (ticks = sent.length));
        sent.push(command.args.map(String));
        return fixture.redis.send(command);
      }) as typeof fixture.redis.send,
    };

    const report = await fixture.run(recorder(), { shards: SHARDS, redis });

    expect(report).toMatchObject({ read: 0, pending: 0, lag: 0, stoppedBecause: 'drained' });
    expect(sent.map(([name]) => name)).toEqual(Array.from({ length: SHARDS }, () => 'EVALSHA'));
    expect(ticks).toBe(SHARDS);
  });

  it('the report names what keeps a run from a shard: a pause, a rest, another run', async () => {
    await fill(1, 4);
    await fixture.send('SET', `{${fixture.stream}:1}:lease:g`, 'another', 'PX', '60000');
    expect(await fixture.run(recorder(), { shards: 2 })).toMatchObject({ processed: 1, stoppedBecause: 'drained' });
    expect(await fixture.run(recorder(), { shards: 2 })).toMatchObject({ processed: 0, stoppedBecause: 'drained' });
    await fixture.send('SET', `{${fixture.stream}:2}:rest:g`, '', 'PX', '60000');
    expect(await fixture.run(recorder(), { shards: 3 })).toMatchObject({ stoppedBecause: 'upstream-unavailable' });
    await fixture.send('SET', `{${fixture.stream}:3}:pause:g`, '', 'PX', '60000');
    expect(await fixture.run(recorder(), { shards: 4 })).toMatchObject({ processed: 0, stoppedBecause: 'paused' });
  });
});

describe('a run that lingers', () => {
  it.each([undefined, 4])(
    'a lingering run takes entries that arrive within lingerMs of the previous one (shards: %s)',
    async (shards) => {
      const stream = shards ? `${fixture.stream}:2` : fixture.stream;
      const waits: number[] = [];
      let addedAt = 0;
      const target = recorder(() => void waits.push(performance.now() - addedAt));
      const running = fixture.run(target, { shards, lingerMs: 2000, budgetMs: 60_000 });
      for (let n = 0; n < 4; n++) {
        await sleep(700);
        addedAt = performance.now();
        await fixture.send('XADD', stream, '*', 'k', 'a', 'v', `${n}`);
      }

      const report = await running;

      expect(report).toMatchObject({ processed: 4, pending: 0, stoppedBecause: 'drained' });
      expect(performance.now() - addedAt).toBeGreaterThan(1950);
      expect(Math.min(...waits)).toBeLessThan(1000);
    },
  );

  it('a lingering run over 512 shards ends in time, after a few commands for each', async () => {
    await fixture.run(recorder(), { shards: 512, leaseMs: 15_000, budgetMs: 60_000 }); // creates the groups
    await fixture.send('XADD', `${fixture.stream}:300`, '*', 'k', 'a', 'v', '1');
    const commands = async () => Number(/total_commands_processed:(\d+)/.exec(await fixture.send('INFO', 'stats'))![1]);
    const before = await commands();
    const redis = openRedis(fixture.server.port, 20_000);

    const report = await fixture.run(recorder(), {
      redis,
      shards: 512,
      lingerMs: 1000,
      leaseMs: 15_000,
      budgetMs: 60_000,
    });

    redis.end();
    expect(report).toMatchObject({ processed: 1, stoppedBecause: 'drained' });
    expect((await commands()) - before).toBeLessThan(512 * 100); // those within scripts included
  }, 60_000);

  it('a lingering run still ends at its deadline, drained', async () => {
    const startedAt = performance.now();

    const report = await fixture.run(recorder(), { lingerMs: 60_000, budgetMs: 800 });

    expect(report.stoppedBecause).toBe('drained');
    expect(performance.now() - startedAt).toBeLessThan(30_000);
  });

  it('no entry is stranded between two runs, whenever it arrives', async () => {
    const target = recorder();
    let added = 0;
    let isOver = false;
    const adding = (async () => {
      for (; added < 300; added++) {
        await fixture.add(`k${added % 5}=${added}`);
        if (added % 10 === 0) await sleep(3);
      }
      isOver = true;
    })();
    let runs = 0;
    for (; !isOver || target.processed.length < added; runs++) {
      const before = added;
      const { stoppedBecause } = await fixture.run(target, { leaseMs: 15_000, budgetMs: 30_000 });
      expect(stoppedBecause).toBe('drained');
      expect(target.processed.length).toBeGreaterThanOrEqual(before);
    }
    await adding;

    expect(target.processed).toHaveLength(300);
  });
});

it('a run that ends by its deadline starts a successor only if entries are left', async () => {
  await fixture.add(...Array.from({ length: 3000 }, (_, n) => `k${n}=1`));
  let started = 0;
  const startSuccessor = async () => void started++;

  const first = await fixture.run(
    recorder(() => sleep(20)),
    { budgetMs: 500, concurrency: 2, startSuccessor },
  );
  expect([first.stoppedBecause, started]).toEqual(['deadline', 1]);
  const second = await fixture.run(recorder(), { budgetMs: 20_000, startSuccessor });

  expect([second.stoppedBecause, second.pending, started]).toEqual(['drained', 0, 1]);
});

it('a run that ends by its deadline starts a successor for entries that it could not begin', async () => {
  await fixture.add(...Array.from({ length: 50 }, (_, n) => `k=${n}`));
  let started = 0;

  const { stoppedBecause, lag } = await fixture.run(
    recorder(() => sleep(20)),
    { budgetMs: 500, startSuccessor: async () => void started++ },
  );

  expect([stoppedBecause, lag, started]).toEqual(['deadline', 0, 1]);
});

it('a run that ends by its deadline starts a successor for shards that it never came to', async () => {
  await fixture.run(recorder(), { shards: SHARDS });
  await fill(1);
  let started = 0;

  const { stoppedBecause, lag } = await fixture.run(
    recorder(() => sleep(100)),
    { shards: SHARDS, concurrency: 1, budgetMs: 700, startSuccessor: async () => void started++ },
  );

  expect(lag).toBeGreaterThan(0);
  expect([stoppedBecause, started]).toEqual(['deadline', 1]);
});

/** Redis that refuses to give the lease of a shard back, the first time. */
function refusingRelease(shard: number, otherMs = 0): Redis {
  const lease = leaseKeyOf(`${fixture.stream}:${shard}`, 'g');
  let isRefused = false;
  return {
    slotOf: () => 0,
    async send(command) {
      const isRelease = command.args.some((word) => word === 'drained' || word === 'ended');
      if (isRelease && !isRefused && command.args.includes(lease)) {
        isRefused = true;
        throw new ConnectorError('STREAM:COMMAND', 'The node is away', { status: 503 });
      }
      if (isRelease) await sleep(otherMs);
      return fixture.redis.send(command);
    },
  };
}

it('a node that is away when a run ends keeps the leases of no other, nor its successor', async () => {
  for (const shard of [0, 1]) {
    const stream = `${fixture.stream}:${shard}`;
    for (let n = 0; n < 50; n++) await fixture.send('XADD', stream, '*', 'k', 'k', 'v', `${n}`);
  }
  let started = 0;
  const options = { shards: 2, budgetMs: 500, batchSize: 1, startSuccessor: async () => void started++ };

  const report = await fixture.run(
    recorder(() => sleep(20)),
    { ...options, redis: refusingRelease(0, 50) },
  );

  expect([report.stoppedBecause, started]).toEqual(['deadline', 1]);
  expect(await fixture.send('KEYS', `*${fixture.stream}*:lease:g`)).toEqual([leaseKeyOf(`${fixture.stream}:0`, 'g')]);
});

it('a drained run whose lease could not be given back tries again before it ends', async () => {
  await fill(1, 2);

  const running = fixture.run(recorder(), { shards: 2, redis: refusingRelease(1) });

  await expect(running).rejects.toThrow('The node is away');
  expect(await fixture.send('KEYS', `*${fixture.stream}*:lease:g`)).toEqual([]);
});

it('a pause ends a run within a second, whatever its target does', async () => {
  await fixture.add(...Array.from({ length: 500 }, (_, n) => `k${n}=1`));
  const target = recorder(() => new Promise(() => {}));
  const running = fixture.run(target, { budgetMs: 60_000 });
  await sleep(400);
  await fixture.send('SET', `{${fixture.stream}}:pause:g`, '', 'PX', '60000');
  const pausedAt = performance.now();

  const report = await running;

  expect(report.stoppedBecause).toBe('paused');
  expect(performance.now() - pausedAt).toBeLessThan(20_000);
  expect(await fixture.run(target)).toMatchObject({ read: 0, stoppedBecause: 'paused' });
  expect(await fixture.send('EXISTS', `{${fixture.stream}}:lease:g`)).toBe('0');
});
