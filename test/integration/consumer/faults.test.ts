import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { leaseKeyOf, pauseKeyOf, stateKeyOf, supersededKeyOf } from '#lib/consumer/redis-keys.ts';
import { ConnectorError } from '#lib/core/errors.ts';
import type { Redis } from '#lib/redis/redis.ts';
import { until } from '#test/support/until.ts';
import { openShards } from '#lib/consumer/group/open-shards.ts';
import { use } from '#test/support/jest/use.ts';
import { ConsumerFixture, failure, outage, recorder, refusal } from '../../support/consumer/consumer-fixture.ts';
import { useConsumer } from '../../support/consumer/use-consumer.ts';

const fixture = await useConsumer('faults');

const entries = (count: number, prefix = 'k') => Array.from({ length: count }, (_, index) => `${prefix}${index}=1`);
const state = () => stateKeyOf(fixture.stream, 'g');

/** How many scripts the server has run so far. */
async function scriptsRun(): Promise<number> {
  const info = await fixture.send<string>('INFO', 'commandstats');
  return [...info.matchAll(/cmdstat_evalsha?:calls=(\d+)/g)].reduce((sum, [, calls]) => sum + Number(calls), 0);
}

/** As if a run had read entries, and ended without a word. */
async function leavePending(count: number): Promise<void> {
  await fixture.send('XGROUP', 'CREATE', fixture.stream, 'g', '0');
  await fixture.send('XREADGROUP', 'GROUP', 'g', 'c', 'COUNT', `${count}`, 'STREAMS', fixture.stream, '>');
}

describe('a stream or group that disappears under load', () => {
  const twice = (act: () => Promise<unknown>) => {
    let attempts = 0;
    return recorder(async () => {
      if (++attempts % 20 === 0 && attempts <= 60) await act();
      await sleep(5);
      if (attempts % 7 === 0) throw failure();
    });
  };

  it.each([
    ['XGROUP DESTROY', () => fixture.send('XGROUP', 'DESTROY', fixture.stream, 'g')],
    ['DEL', () => fixture.send('DEL', fixture.stream)],
    ['RENAME', () => fixture.send('RENAME', fixture.stream, `${fixture.stream}:old`).catch(() => {})],
  ])('a stream or group that disappears costs a few scripts, not thousands a second: %s', async (_, act) => {
    await fixture.add(...entries(300));
    const before = await scriptsRun();

    const report = await fixture.run(twice(act), { budgetMs: 4000, backoffMs: 5000 });

    expect(['group-destroyed', 'drained']).toContain(report.stoppedBecause);
    expect((await scriptsRun()) - before).toBeLessThan(400);
    expect(await fixture.send('EXISTS', leaseKeyOf(fixture.stream, 'g'))).toBe('0');
  });

  it('a run ends immediately with an error when its stream becomes a key of another type', async () => {
    await fixture.add(...entries(300));
    const startedAt = performance.now();
    const target = recorder(async () => {
      if (target.attempted.length === 20) {
        await fixture.send('DEL', fixture.stream);
        await fixture.send('SET', fixture.stream, 'text');
      }
      await sleep(5);
    });

    await expect(fixture.run(target, { budgetMs: 60_000 })).rejects.toMatchObject({ type: 'STREAM:WRONG_TYPE' });

    expect(performance.now() - startedAt).toBeLessThan(30_000);
  });
});

it('a shard whose key has another type stops none of the others, and the run reports it', async () => {
  await fixture.send('SET', `${fixture.stream}:1`, 'text');
  for (const shard of [0, 2, 3])
    await fixture.send('XADD', `${fixture.stream}:${shard}`, '*', 'k', `${shard}`, 'v', '1');
  const target = recorder();

  await expect(fixture.run(target, { shards: 4 })).rejects.toMatchObject({ type: 'STREAM:WRONG_TYPE' });

  expect(target.processed.sort()).toEqual(['0=1', '2=1', '3=1']);
});

it('one key with many bad entries does not open the breaker, however many are refused in a row', async () => {
  await fixture.add(...Array.from({ length: 40 }, (_, index) => `bad=${index}`));
  const target = recorder(() => Promise.reject(refusal()));

  const report = await fixture.run(target);

  expect(report).toMatchObject({ deadLettered: 40, pending: 0, stoppedBecause: 'drained' });
});

it.each([500, 1500, 2200])(
  'five keys that are known to hang do not delay a good entry in a quiet stream that comes %d ms later',
  async (afterMs) => {
    await fixture.add(...entries(5, 'bad'));
    let [addedAt, takenAt] = [0, 0];
    const target = recorder(async (name) => {
      if (name !== 'good=1') return sleep(1000).then(() => Promise.reject(outage()));
      takenAt = performance.now();
    });
    await fixture.run(target, { budgetMs: 2500, backoffMs: 100 });
    const running = fixture.run(target, { budgetMs: 8000, backoffMs: 100, lingerMs: 1500, concurrency: 5 });
    await sleep(afterMs);
    addedAt = performance.now();
    await fixture.add('good=1');

    await running;

    expect(takenAt - addedAt).toBeGreaterThan(0);
    expect(takenAt - addedAt).toBeLessThan(1500); // the rest of a breaker that opened once
  },
  30_000,
);

it('entries deleted while pending leave nothing behind, nor any note of their key', async () => {
  const ids = await fixture.add('a=1', 'a=2', 'a=3');
  await leavePending(3);
  await fixture.send('HSET', state(), `e:${ids[0]}`, '1,0,1', `c:${ids[0]}`, '1', `e:${ids[2]}`, '1,0,1');
  await fixture.send('HSET', supersededKeyOf(fixture.stream, 'g'), 'e3b0c44298fc1c149afbf4c8996fb924', '0-0');
  await fixture.send('XDEL', fixture.stream, ids[0]!, ids[2]!);

  const report = await fixture.run({ ...recorder(), keyFields: [] }, { backoffMs: 1 });

  expect(report).toMatchObject({ deleted: 2, processed: 1, pending: 0 });
  expect(await fixture.send('EXISTS', state())).toBe('0');
});

describe('a state full of deleted entries', () => {
  it("a full state makes room for other entries' failures", async () => {
    const state = `{${fixture.stream}}:state:${fixture.group}`;
    const stale = Array.from({ length: 10_000 }, (_, n) => [`e:${n + 1}-1`, '1,0,0']).flat();
    await fixture.send('HSET', state, ...stale);
    await fixture.send('XGROUP', 'CREATE', fixture.stream, fixture.group, '0', 'MKSTREAM');
    await fixture.add('bad=1', 'bad=2');

    const refuse = () => Promise.reject(failure());
    for (let run = 0; run < 2; run++) await fixture.run(recorder(refuse), { backoffMs: 60_000 });
    const third = recorder(refuse);
    await fixture.run(third, { backoffMs: 60_000 });

    expect(third.attempted).toEqual([]); // both wait for their time: the second failure of each is known
  });
});

describe('a pause', () => {
  it('a pause does not dead-letter the entry of a slow attempt', async () => {
    await fixture.add('a=1');
    const hanging = { ...recorder(() => new Promise(() => {})), timeoutKind: 'own' as const };
    const running = fixture.run(hanging, { budgetMs: 60_000, maxDeliveries: 1 });
    await sleep(1200);
    await fixture.send('SET', pauseKeyOf(fixture.stream, 'g'), '1', 'PX', '60000');

    const report = await running;

    expect(report).toMatchObject({ deadLettered: 0, pending: 1, stoppedBecause: 'paused' });
  });

  it('a pause ends a lingering run if it was its only shard', async () => {
    await fixture.add('a=1');
    const startedAt = performance.now();
    const running = fixture.run(recorder(), { lingerMs: 60_000, budgetMs: 62_000 });
    await sleep(300);
    await fixture.send('SET', pauseKeyOf(fixture.stream, 'g'), '1', 'PX', '60000');

    expect(await running).toMatchObject({ processed: 1, stoppedBecause: 'paused' });
    expect(performance.now() - startedAt).toBeLessThan(30_000);
  });
});

it('an entry dead-lettered because the run ends counts as abandoned, not as failed', async () => {
  await fixture.add('a=1');
  const hanging = { ...recorder(() => new Promise(() => {})), timeoutKind: 'own' as const };

  const report = await fixture.run(hanging, { budgetMs: 600, maxDeliveries: 1 });

  expect(report).toMatchObject({ read: 1, failed: 0, deadLettered: 1, pending: 0 });
});

it('a suspect whose run lost its lease three times has not crashed', async () => {
  const [id] = await fixture.add('a=1');
  await leavePending(1);
  await fixture.send('XCLAIM', fixture.stream, 'g', 'c', '0', id!, 'RETRYCOUNT', '5', 'JUSTID', 'IDLE', '99999');
  for (let run = 0; run < 3; run++) {
    const target = recorder(async () => {
      await fixture.send('DEL', leaseKeyOf(fixture.stream, 'g'));
      await new Promise(() => {});
    });
    expect(await fixture.run(target, { backoffMs: 1 })).toMatchObject({ stoppedBecause: 'lease-lost' });
  }

  const report = await fixture.run(recorder(), { backoffMs: 1 });

  expect(report).toMatchObject({ processed: 1, deadLettered: 0, pending: 0 });
}, 20_000);

/** Redis, until it is out of reach. */
function cuttable(): { redis: Redis; cutOff: () => void } {
  let isCutOff = false;
  const away = new ConnectorError('STREAM:COMMAND', 'Redis is out of reach', { status: 503 });
  const send: Redis['send'] = (command) => (isCutOff ? Promise.reject(away) : fixture.redis.send(command));
  return { redis: { slotOf: () => 0, send }, cutOff: () => void (isCutOff = true) };
}

it('a suspect whose run was cut off from Redis for longer than its lease did not crash, however often', async () => {
  const [id] = await fixture.add('a=1');
  await leavePending(1);
  await fixture.send('XCLAIM', fixture.stream, 'g', 'c', '0', id!, 'RETRYCOUNT', '5', 'JUSTID', 'IDLE', '99999');
  for (let run = 0; run < 3; run++) {
    const { redis, cutOff } = cuttable();
    const target = recorder(async () => {
      cutOff();
      await sleep(1200);
    });
    const running = fixture.run(target, { redis, backoffMs: 1, leaseMs: 1000 });
    await expect(running).rejects.toThrow('out of reach');
    expect(target.attempted).toEqual(['a=1']);
    await until(async () => !(await fixture.send<string>('EXISTS', leaseKeyOf(fixture.stream, 'g')).then(Number)));
  }

  const report = await fixture.run(recorder(), { backoffMs: 1 });

  expect(report).toMatchObject({ processed: 1, deadLettered: 0, pending: 0 });
}, 20_000);

it('a suspect did not crash if its processes come back and find its shard held by another', async () => {
  const [id] = await fixture.add('a=1');
  await leavePending(1);
  await fixture.send('XCLAIM', fixture.stream, 'g', 'c', '0', id!, 'RETRYCOUNT', '5', 'JUSTID', 'IDLE', '99999');
  const lease = leaseKeyOf(fixture.stream, 'g');
  const processes = Array.from({ length: 3 }, () => ({ backoffMs: 1, leaseMs: 1000, isolatedEntries: new Map() }));
  for (const options of processes) {
    const { redis, cutOff } = cuttable();
    const target = recorder(async () => {
      cutOff();
      await sleep(1200);
    });
    await expect(fixture.run(target, { redis, ...options })).rejects.toThrow('out of reach');
    await until(async () => !(await fixture.send<string>('EXISTS', lease).then(Number)));
  }
  await fixture.send('SET', lease, 'another.token');
  for (const options of processes) {
    const { stoppedBecause } = await fixture.run(recorder(), { ...options, budgetMs: 500 });
    expect(stoppedBecause).toBe('lease-held');
  }
  await fixture.send('DEL', lease);

  const report = await fixture.run(recorder(), { backoffMs: 1 });

  expect(report).toMatchObject({ processed: 1, deadLettered: 0, pending: 0 });
}, 20_000);

it('a suspect of one configuration did not crash if its process comes back for another one first', async () => {
  const other = await use(ConsumerFixture.open());
  const open = (configRef: string, { redis } = fixture) => {
    const options = { configRef, group: 'g', leaseMs: 1000, startId: '0', keyFields: ['k'] };
    return openShards(redis, [fixture.stream], options, () => new ConnectorError('STREAM:ARGUMENT', ''))[0]!.group;
  };
  const [id] = await fixture.add('a=1');
  await leavePending(1);
  const group = open('one');
  await group.acquire();
  await group.claim([id!], { isIsolated: true });
  await fixture.send('DEL', leaseKeyOf(fixture.stream, 'g')); // it was out of reach for longer than the lease

  await open('two', other).acquire();
  await open('one').acquire();

  expect(await fixture.send('HGETALL', state())).toEqual([]);
});

it('a due time from a clock that is a year ahead holds an entry for a quarter of an hour at most', async () => {
  const [id] = await fixture.add('a=1');
  await leavePending(1);
  await fixture.send('XCLAIM', fixture.stream, 'g', 'c', '0', id!, 'RETRYCOUNT', '0', 'JUSTID');
  await fixture.send('HSET', state(), `e:${id}`, `1,0,${Date.now() + 365 * 86_400_000}`);
  let offset = 0;
  const clock = {
    now: () => performance.now() + offset,
    epochMs: () => Date.now(),
    timer: (ms: number, callback: () => void) => {
      const timer = setTimeout(callback, Math.min(ms, 20));
      return () => clearTimeout(timer);
    },
  };
  setTimeout(() => (offset = 901_000), 200);

  const report = await fixture.run(recorder(), { clock, leaseMs: 2_000_000, lingerMs: 902_000, budgetMs: 1_000_000 });

  expect(report).toMatchObject({ processed: 1, pending: 0 });
}, 20_000);

it('an error of the consumer itself ends the run with that error, and counts against no entry', async () => {
  await fixture.add('a=1', 'b=1');
  const broken = {
    now: () => performance.now(),
    epochMs: () => {
      throw new TypeError('no clock');
    },
    timer: (ms: number, callback: () => void) => {
      const timer = setTimeout(callback, ms);
      return () => clearTimeout(timer);
    },
  };
  const target = recorder(() => Promise.reject(failure()));

  const running = fixture.run(target, { clock: broken, maxAgeMs: 1, maxDeliveries: 1, concurrency: 1, batchSize: 10 });

  await expect(running).rejects.toThrow(new TypeError('no clock'));
  expect(target.attempted).toEqual(['a=1']);
  expect(await fixture.deadLetters()).toEqual([]);
  expect(await fixture.send('EXISTS', state())).toBe('0');
  expect((await fixture.pending()).map(([, , , deliveries]) => deliveries)).toEqual(['1', '0']);
  expect(await fixture.run(recorder(), { backoffMs: 1 })).toMatchObject({ processed: 2, pending: 0 });
});
