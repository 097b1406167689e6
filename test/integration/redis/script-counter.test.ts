import { expect, it } from '@jest/globals';
import { createClient } from 'redis';
import { isBounded, MAX_BYTES, MAX_ITEMS, startCountedRedis } from '../../support/redis/script-counter.ts';
import { use } from '../../support/jest/use.ts';

const connect = (url: string) => createClient({ url, RESP: 2 }).connect();
const redis = await use(startCountedRedis());
const client = await use(connect(redis.url));
const fill = `for at = 1, 2000 do redis.call('XADD', 's', at .. '-0', 'a', 'b') end
  for at = 1, 4 do redis.call('XADD', 'large', at .. '-0', 'a', string.rep('x', 100000)) end
  redis.call('XADD', 'large', '5-0', 'a', string.rep('x', 1000000))
  redis.call('XGROUP', 'CREATE', 's', 'g', '0')
  redis.call('XREADGROUP', 'GROUP', 'g', 'c', 'STREAMS', 's', '>')`;
await redis.server.command('EVAL', fill, '0');

/** What a script looked at that runs these lines. */
async function countReads(script: string, command = 'EVAL') {
  await client.sendCommand([command, script, '0']);
  const [only, ...more] = await redis.takeLooks();
  expect(more).toEqual([]);
  return only!;
}

it.each([
  ["return #redis.call('XRANGE', 's', '-', '+', 'COUNT', 1000)", MAX_ITEMS, true],
  ["#!lua flags=no-writes\nreturn #redis.call('XRANGE', 's', '-', '+', 'COUNT', 1001)", 1001, false],
  ["for at = 1, 9 do redis.call('XRANGE', 's', '7', '7') end", 1, true], // the same entry
  ["return redis.pcall('XPENDING', 's', 'g', '-', '+', 1001)", 1001, false],
  ["return redis.pcall('XCLAIM', 's', 'g', 'c', 0, '1-0', '2-0', 'JUSTID')", 2, true],
  ["return redis.call('XACK', 's', 'none', '1-0', '2-0')", 2, true],
  ["return redis.call('XPENDING', 's', 'g')", 0, false], // all of a pending list
  ["return redis.call('XPENDING', 's', 'g', 'IDLE', 0, '-', '+', 1)", 1, false],
  ["return redis.call('XAUTOCLAIM', 's', 'g', 'c', 99999, '0', 'COUNT', 101)", 0, false],
])('the counter counts what a script looks at: %s', async (script, items, bounded) => {
  const counted = await countReads(script);

  expect(counted.items).toBe(items);
  expect(isBounded(counted)).toBe(bounded);
});

it('the counter counts the bytes of entries, and allows one to be larger', async () => {
  const three = await countReads("return #redis.call('XRANGE', 'large', '-', '+', 'COUNT', 3)");
  const four = await countReads("return #redis.call('XRANGE', 'large', '-', '+', 'COUNT', 4)");
  const withLarge = await countReads("return #redis.call('XRANGE', 'large', '4', '+')", 'EVAL_RO');

  expect(three).toMatchObject({ items: 3, bytes: 300_003, largest: 100_001 });
  expect([three, four, withLarge].map(isBounded)).toEqual([true, false, true]);
  expect(four.bytes - four.largest).toBeGreaterThan(MAX_BYTES);
});
