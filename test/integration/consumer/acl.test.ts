import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { leaseKeyOf } from '../../../lib/consumer/redis-keys.ts';
import { ConsumerFixture, failure, openRedis, recorder, refusal } from '../../support/consumer/consumer-fixture.ts';

let fixture: ConsumerFixture;
beforeAll(async () => {
  fixture = await ConsumerFixture.open();
});
afterAll(() => fixture.close());

it('the consumer needs no more of Redis than docs/redis.md grants it', async () => {
  const [line] = /ACL SETUSER consumer .*/.exec(readFileSync('docs/redis.md', 'utf8'))!;
  await fixture.send(...line.split(' '));
  const redis = openRedis(fixture.server.port, 2000, 'consumer:password@');
  fixture.stream = 'acl';
  const [crashed] = await fixture.add('crashed=1', 'failing=1', 'refused=1', 'refused=2', 'good=\ufffd');
  await fixture.send('XGROUP', 'CREATE', 'acl', 'g', '0');
  await fixture.send('XREADGROUP', 'GROUP', 'g', 'c', 'COUNT', '1', 'STREAMS', 'acl', '>');
  await fixture.send('XCLAIM', 'acl', 'g', 'c', '0', crashed!, 'RETRYCOUNT', '9', 'JUSTID', 'IDLE', '999999');
  await fixture.send('HSET', '{acl}:state:g', 'alone', crashed!, 'level', '2');
  const target = recorder((name) => {
    if (name === 'refused=1') throw refusal();
    if (name === 'failing=1') throw failure();
  });

  try {
    const report = await fixture.run(target, { redis, trim: true, lingerMs: 100, backoffMs: 1, maxDeliveries: 2 });

    expect(report).toMatchObject({ processed: 3, deadLettered: 2, pending: 0, stoppedBecause: 'drained' });
    expect(await fixture.run(recorder(), { redis, shards: 3, leaseMs: 1000 })).toMatchObject({ groupsCreated: 3 });
  } finally {
    redis.end();
  }
});

it.each(['hget', 'pexpire', 'xgroup|create'])(
  'a run whose user may not run %s inside the script that takes the lease leaves no lease',
  async (command) => {
    const [line] = /ACL SETUSER consumer .*/.exec(readFileSync('docs/redis.md', 'utf8'))!;
    await fixture.send(...line.split(' '), `-${command}`);
    const redis = openRedis(fixture.server.port, 2000, 'consumer:password@');
    fixture.stream = `acl:${command}`;
    await fixture.add('good=1');
    await fixture.send('XGROUP', 'CREATE', fixture.stream, 'g', '0');

    try {
      const failed = fixture.run(recorder(), { redis });

      await expect(failed).rejects.toMatchObject({ status: 502, upstreamCode: 'NOPERM' });
      await expect(failed).rejects.toThrow(`+${command}`);
      expect(await fixture.send('EXISTS', leaseKeyOf(fixture.stream, 'g'))).toBe('0');
    } finally {
      redis.end();
    }
  },
);
