import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { redrive } from '../../../lib/consumer/dead-letters/redrive.ts';
import { readStatus } from '../../../lib/consumer/operator/status.ts';
import { enqueueBatch } from '../../../lib/consumer/producer/enqueue.ts';
import { deadLetterStreamOf } from '../../../lib/consumer/redis-keys.ts';
import { Deadline } from '../../../lib/core/deadline.ts';
import type { Redis } from '../../../lib/redis/redis.ts';
import { startRedisServer, type RedisServer } from '../../../sandbox/redis/redis-server.ts';
import { openRedis } from '../../support/consumer/consumer-fixture.ts';

const stream = 'source-submit:0';
const deadLetterStream = deadLetterStreamOf(stream, 'g');
const page = readFileSync('docs/redis.md', 'utf8');
let server: RedisServer;
beforeAll(async () => {
  server = await startRedisServer();
  for (const user of ['consumer', 'watcher', 'producer']) {
    const [line] = new RegExp(`ACL SETUSER ${user} .*`).exec(page)!;
    await server.command(...(line.split(' ') as [string]));
  }
});
afterAll(() => server.stop());

const operations: Record<string, (redis: Redis) => Promise<unknown>> = {
  redrive: (redis) =>
    redrive(
      redis,
      { stream, group: 'g', deadLetterStream, count: 1, force: false, dryRun: false },
      Deadline.after(5000),
    ),
  status: (redis) => readStatus(redis, { streams: [stream], group: 'g' }),
  'enqueue-batch': (redis) => enqueueBatch(redis, [{ stream, fields: { a: '1' } }]),
};

it.each([
  ['redrive', 'consumer', 'xadd'],
  ['redrive', 'consumer', 'xdel'],
  ['redrive', 'consumer', 'hset'],
  ['redrive', 'consumer', 'xrange'],
  ['status', 'watcher', 'xrevrange'],
  ['status', 'watcher', 'xrange'],
  ['enqueue-batch', 'producer', 'xadd'],
  ['enqueue-batch', 'producer', 'multi'],
])('%s responds 502 where the user %s may not run %s, and names it', async (operation, user, command) => {
  await server.command('XADD', deadLetterStream, '*', 'a', '1', 'dl-source-id', '1-0');
  await server.command('ACL', 'SETUSER', user, `-${command}`);
  const redis = openRedis(server.port, 2000, `${user}:password@`);

  try {
    const failed = operations[operation]!(redis);

    await expect(failed).rejects.toMatchObject({ type: 'STREAM:COMMAND', status: 502, retryable: false });
    await expect(failed).rejects.toThrow(new RegExp(command));
  } finally {
    redis.end();
    await server.command('ACL', 'SETUSER', user, `+${command}`);
  }
});
