import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { LeaseLost } from '#lib/consumer/group/group.ts';
import { deadLetterStreamOf, stateKeyOf } from '#lib/consumer/redis-keys.ts';
import { RedisGroup } from '#lib/consumer/group/redis-group.ts';
import type { Report } from '#lib/consumer/report.ts';
import { failure, openRedis, outage, recorder, refusal } from '../../support/consumer/consumer-fixture.ts';
import { useConsumer } from '../../support/consumer/use-consumer.ts';
import { startTcpProxy } from '../../support/redis/tcp-proxy.ts';

const fixture = await useConsumer('recovery');

/** Simulates a run that reads `count` entries and crashes. */
async function crashAfterReading(count: number): Promise<void> {
  await fixture.send('XGROUP', 'CREATE', fixture.stream, 'g', '0', 'MKSTREAM').catch(() => {});
  await fixture.send(
    'XREADGROUP',
    'GROUP',
    'g',
    'stream-consumer',
    'COUNT',
    `${count}`,
    'STREAMS',
    fixture.stream,
    '>',
  );
}

function groupOf(): RedisGroup {
  const { stream, group } = fixture;
  const options = { stream, group, leaseMs: 60_000, startId: '0', keyFields: ['k'], deadLetterStream: 'dead' };
  return new RedisGroup(fixture.redis, options);
}

/** Sets how often a pending entry was delivered. */
function setDeliveries(id: string, times: number): Promise<unknown> {
  const command = `XCLAIM ${fixture.stream} g stream-consumer 0 ${id} RETRYCOUNT ${times} JUSTID IDLE 99999`;
  return fixture.send(...command.split(' '));
}

describe('entries left by a crashed run', () => {
  it('an entry left by a crashed run is processed before newer ones of its key', async () => {
    await fixture.add('a=1', 'b=1', 'a=2');
    await crashAfterReading(2);
    await fixture.add('a=3');
    const target = recorder();

    const report = await fixture.run(target);

    expect(target.processed.filter((name) => name.startsWith('a'))).toEqual(['a=1', 'a=2', 'a=3']);
    expect(report).toMatchObject({ read: 2, recovered: 2, processed: 4, pending: 0 });
  });

  it('entries that workers of a Mule flow did not acknowledge are taken over in the order of the stream', async () => {
    await fixture.send('XGROUP', 'CREATE', fixture.stream, 'g', '0', 'MKSTREAM');
    const read = (worker: string) =>
      fixture.send('XREADGROUP', 'GROUP', 'g', worker, 'COUNT', '2', 'STREAMS', fixture.stream, '>');
    const [, acknowledged] = await fixture.add('a=1', 'b=1', 'a=2', 'b=2', 'a=3');
    await read('worker-02');
    await read('worker-01');
    await fixture.send('XACK', fixture.stream, 'g', acknowledged!);
    const target = recorder();

    const report = await fixture.run(target);

    expect(target.processed.filter((name) => name.startsWith('a'))).toEqual(['a=1', 'a=2', 'a=3']);
    expect(target.processed.filter((name) => name.startsWith('b'))).toEqual(['b=2']);
    expect(report).toMatchObject({ read: 1, recovered: 3, processed: 4, pending: 0, stoppedBecause: 'drained' });
  });

  it('an entry that a crashed run left keeps all its tries', async () => {
    const [id] = await fixture.add('a=1');
    await crashAfterReading(1);
    await setDeliveries(id!, 4);

    const report = await fixture.run(
      recorder(() => Promise.reject(failure())),
      { backoffMs: 60_000 },
    );

    expect(report).toMatchObject({ failed: 1, deadLettered: 0, pending: 1 });
  });

  it('an entry left by a crashed run becomes a dead letter after maxAgeMs', async () => {
    await fixture.send('XADD', fixture.stream, `${Date.now() - 5000}-0`, 'k', 'a', 'v', '1');

    const report = await fixture.run(
      recorder(() => Promise.reject(outage())),
      { maxAgeMs: 4000 },
    );

    expect(report).toMatchObject({ deadLettered: 1, pending: 0 });
  });
});

it('a run treats corrupt group state as missing', async () => {
  const [id] = await fixture.add('a=1');
  await crashAfterReading(1);
  await fixture.send(
    'HSET',
    stateKeyOf(fixture.stream, 'g'),
    `e:${id}`,
    'junk,,1e999',
    `c:${id}`,
    'junk',
    'level',
    'junk',
  );

  const report = await fixture.run(recorder(), { backoffMs: 1 });

  expect(report).toMatchObject({ processed: 1, pending: 0, stoppedBecause: 'drained' });
});

describe('an entry that kills its runs', () => {
  const suspect = async (crashes: number) => {
    const [id] = await fixture.add('a=1', 'b=1');
    await crashAfterReading(2);
    await setDeliveries(id!, 5);
    if (crashes > 0) await fixture.send('HSET', stateKeyOf(fixture.stream, 'g'), `c:${id}`, `${crashes}`);
    return id!;
  };

  it('an entry that may kill its run is marked until its outcome is known', async () => {
    const id = await suspect(0);
    let marked;
    const target = recorder(async (name) => {
      if (name !== 'a=1') return;
      marked ??= await fixture.send('HGET', stateKeyOf(fixture.stream, 'g'), 'alone');
      throw outage();
    });

    await fixture.run(target, { backoffMs: 60_000 });

    expect(marked).toBe(id);
    expect(await fixture.send('HGET', stateKeyOf(fixture.stream, 'g'), 'alone')).toBeNull();
    expect((await fixture.pending()).find(([pending]) => pending === id)).toMatchObject({ 3: '0' });
  });

  it('an outage that hangs until the deadline makes no entry a suspect, however often', async () => {
    await fixture.add('a=1', 'b=1', 'c=1');
    const hanging = recorder(() => new Promise(() => {}));
    for (let run = 0; run < 8; run++) await fixture.run(hanging, { budgetMs: 150, maxDeliveries: 2, backoffMs: 1 });

    const report = await fixture.run(recorder(), { maxDeliveries: 2 });

    expect(report).toMatchObject({ processed: 3, deadLettered: 0, pending: 0 });
    expect(hanging.attempted.length).toBeGreaterThan(8);
  });
});

it('a group destroyed during a run is recreated once, from startId, and the whole stream is carried', async () => {
  await fixture.add(...Array.from({ length: 50 }, (_, index) => `k${index}=1`));
  await crashAfterReading(1);
  let isDestroyed = false;
  const target = recorder(async () => {
    if (isDestroyed) return;
    isDestroyed = true;
    await fixture.send('XGROUP', 'DESTROY', fixture.stream, 'g');
  });

  const report = await fixture.run(target, { batchSize: 10, concurrency: 2, backoffMs: 1 });

  expect(new Set(target.processed).size).toBe(50);
  expect(report).toMatchObject({ groupsCreated: 1, pending: 0, stoppedBecause: 'drained' });
});

it('a stream trimmed during a run costs only the trimmed entries', async () => {
  await fixture.add(...Array.from({ length: 100 }, (_, index) => `k=${index}`));
  await crashAfterReading(60);
  await fixture.send('XTRIM', fixture.stream, 'MAXLEN', '50');

  const report = await fixture.run(recorder(), { backoffMs: 1 });

  expect(report).toMatchObject({ deleted: 50, recovered: 10, read: 40, processed: 50, pending: 0 });
});

it('trim deletes what every group has processed, and nothing that one still needs', async () => {
  const ids = await fixture.add('a=1', 'a=2', 'a=3');
  await fixture.send('XGROUP', 'CREATE', fixture.stream, 'slow', ids[0]!);

  await fixture.run(recorder(), { trim: true });

  const left = await fixture.send<[string][]>('XRANGE', fixture.stream, '-', '+');
  expect(left.map(([id]) => id)).toEqual(ids.slice(1));
});

it('trim deletes thousands of processed entries', async () => {
  await fixture.add(...Array.from({ length: 2345 }, (_, index) => `${index}=1`));

  await fixture.run(recorder(), { trim: true, concurrency: 100 });

  expect(Number(await fixture.send('XLEN', fixture.stream))).toBe(0);
});

it('trim keeps what a group that was set back has not read again, also before its pending entries', async () => {
  const ids = await fixture.add('a=1', 'a=2', 'b=1', 'a=3');
  await crashAfterReading(4);
  await fixture.send('XACK', fixture.stream, fixture.group, ids[0]!, ids[1]!, ids[3]!);
  await fixture.send('XGROUP', 'SETID', fixture.stream, fixture.group, ids[0]!);

  expect(await groupOf().trim()).toBe(1);
});

it('trim deletes nothing between the end of its group and the next one, whatever other groups have read', async () => {
  const ids = await fixture.add('a=1', 'a=2', 'b=1');
  await fixture.send('XGROUP', 'CREATE', fixture.stream, 'other', ids[2]!);

  expect(await groupOf().trim()).toBe(0);
});

describe('a group at the last possible id', () => {
  const LAST = '18446744073709551615-18446744073709551615';

  it('a group at the last possible id has nothing to read: its run ends drained, and trim drops all', async () => {
    await fixture.add('a=1', 'a=2');
    await fixture.send('XGROUP', 'CREATE', fixture.stream, fixture.group, LAST);

    const report = await fixture.run(recorder());

    expect(report).toMatchObject({ read: 0, stoppedBecause: 'drained' });
    expect(await groupOf().trim()).toBe(2);
  });

  it('an entry with the last possible id is processed like any other', async () => {
    await fixture.add('a=1');
    await fixture.send('XADD', fixture.stream, LAST, 'k', 'a', 'v', '2');
    const target = recorder();

    const report = await fixture.run(target);

    expect(report).toMatchObject({ processed: 2, pending: 0, stoppedBecause: 'drained' });
    expect(target.processed).toEqual(['a=1', 'a=2']);
  });
});

it('a server out of memory refuses a dead letter, whose entry stays pending, and other entries continue', async () => {
  await fixture.add('bad=1', 'good=1');
  const target = recorder((name) => {
    if (name === 'bad=1') throw refusal();
  });
  await fixture.send('XGROUP', 'CREATE', fixture.stream, 'g', '0');
  await fixture.send('CONFIG', 'SET', 'maxmemory', '1');

  const refused = await fixture.run(target, { backoffMs: 60_000 });

  expect(refused).toMatchObject({ processed: 1, deadLettered: 0, pending: 1 });
  await fixture.send('CONFIG', 'SET', 'maxmemory', '0');
  await fixture.send('DEL', stateKeyOf(fixture.stream, 'g'));
  expect(await fixture.run(target, { backoffMs: 1 })).toMatchObject({ deadLettered: 1, pending: 0 });
  expect(await fixture.deadLetters()).toHaveLength(1);
});

describe('entries trimmed during a run', () => {
  const countsOf = (report: Report) => report.processed + report.deadLettered + report.deleted + report.pending;

  it('entries trimmed during a run count as deleted when given back unstarted', async () => {
    await fixture.add('a=1', 'b=1', 'c=1', 'd=1');
    const target = recorder(async () => {
      await fixture.send('XTRIM', fixture.stream, 'MAXLEN', '0');
      await sleep(10_000, undefined, { ref: false });
    });

    const report = await fixture.run(target, { concurrency: 1, budgetMs: 5000 });

    expect(report.read).toBeGreaterThan(1);
    expect(countsOf(report)).toBe(report.read);
  });

  it('entries trimmed during a run count as deleted when their attempt fails', async () => {
    await fixture.add('a=1', 'a=2');
    const target = recorder(async () => {
      await fixture.send('XTRIM', fixture.stream, 'MAXLEN', '0');
      throw failure();
    });

    const report = await fixture.run(target, { backoffMs: 60_000 });

    expect(report).toMatchObject({ read: 2, processed: 0, deleted: 2, pending: 0 });
    expect(await fixture.run(recorder())).toMatchObject({ deleted: 0 });
  });

  it('an entry trimmed before its last attempt fails counts as deleted once', async () => {
    await fixture.add('a=1', 'b=1');
    const proxy = await startTcpProxy(fixture.server.port);
    const redis = openRedis(proxy.port);
    const target = recorder(async (name) => {
      if (name === 'b=1') return void (await sleep(20)); // so a is at fault, while Redis is told of its failure
      await fixture.send('XTRIM', fixture.stream, 'MAXLEN', '0');
      proxy.delay(50);
      throw failure();
    });

    const report = await fixture.run(target, { redis, maxDeliveries: 1, concurrency: 1 });
    redis.end();
    await proxy.close();

    expect(report).toMatchObject({ read: 2, processed: 1, deadLettered: 0, deleted: 1, pending: 0 });
  });
});

describe('the lease', () => {
  it('a run renews its lease while an entry takes longer than the lease lasts', async () => {
    await fixture.add('a=1');
    let second;
    const target = recorder(async () => {
      await sleep(700);
      second = await fixture.run(recorder(), { redis: openRedis(fixture.server.port), leaseMs: 300 });
    });

    await fixture.run(target, { leaseMs: 300 });

    expect(second).toMatchObject({ stoppedBecause: 'lease-held' });
  });

  it('a run that has lost its lease ends, and takes nothing from the next run', async () => {
    await fixture.add('a=1', 'b=1');
    const lease = `{${fixture.stream}}:lease:g`;
    const target = recorder(async (name) => {
      if (name !== 'a=1') return;
      await fixture.send('DEL', lease);
      for (const key of await fixture.send<string[]>('KEYS', `{${fixture.stream}}:fence:*`))
        await fixture.send('DEL', key);
      await fixture.add('c=1');
    });

    const report = await fixture.run(target, { batchSize: 1, concurrency: 1 });

    expect(report).toMatchObject({ stoppedBecause: 'lease-lost', lag: 1 });
    expect(await fixture.run(recorder(), { backoffMs: 1 })).toMatchObject({ pending: 0 });
  });

  it('a read or a claim that arrives after the lease has ended returns nothing', async () => {
    const [id] = await fixture.add('a=1', 'a=2');
    await crashAfterReading(1);
    const deadLetterStream = deadLetterStreamOf(fixture.stream, 'g');
    const options = {
      stream: fixture.stream,
      group: 'g',
      leaseMs: 60,
      startId: '0',
      deadLetterStream,
      keyFields: ['k'],
    };
    const paused = new RedisGroup(fixture.redis, options);
    await paused.acquire();
    await sleep(80);

    await expect(paused.read(10)).rejects.toMatchObject({ upstreamCode: 'NOGROUP' });
    await expect(paused.claim([id!])).rejects.toThrow(LeaseLost);
    const letter = { sourceId: id!, reason: 'late', errorType: 'TEST', deliveries: 1, time: 0 };
    await expect(paused.bury([{ letter, key: 'a' }])).rejects.toThrow(LeaseLost);
    await expect(paused.fail([{ id: id!, entryFailures: 1, targetFailures: 0, dueAt: 1 }])).rejects.toThrow(LeaseLost);
    await expect(paused.giveBack([id!], 0)).rejects.toThrow(LeaseLost);
    await expect(paused.setLevel(1)).rejects.toThrow(LeaseLost);
    expect(await paused.renew()).toMatchObject({ result: 'lost' });
    expect((await fixture.pending()).map(([pending]) => pending)).toEqual([id]);
    expect(await fixture.deadLetters()).toEqual([]);
  });

  it('a run notices a lost lease at its next acknowledgement, which is still written', async () => {
    const [id] = await fixture.add('a=1');
    await fixture.send('XGROUP', 'CREATE', fixture.stream, 'g', '0');
    const { stream } = fixture;
    const run = groupOf();
    await run.acquire();
    await run.read(1);
    await fixture.send('SET', `{${stream}}:lease:g`, 'another', 'PX', '60000');

    await expect(run.ack([{ id: id!, hasState: false, keyQueue: { key: 'a' } }])).rejects.toThrow(LeaseLost);
    expect(await fixture.pending()).toEqual([]);
  });

  it('a run releases its lease at the end, and leaves nothing behind', async () => {
    await fixture.add('a=1');

    await fixture.run(recorder());

    expect(await fixture.send('KEYS', `*${fixture.stream}*`)).toEqual([fixture.stream]);
  });
});
