import { describe, expect, it } from '@jest/globals';
import { startSecretsManager } from '#sandbox/aws/secrets-manager.ts';
import { callStream } from '../../support/stream/call-stream.ts';
import { isBounded, MAX_ITEMS, startCountedRedis, type Look } from '../../support/redis/script-counter.ts';
import { use } from '../../support/jest/use.ts';
import { startContainer } from '../../support/aws/container.ts';

/*
 * No call holds the server: however much a stream and its pending list hold, a script looks at no more than 1,000 items
 * or 256 kB, and never at all of a pending list. Counted on the server.
 */

const redis = await use(startCountedRedis());
const secrets = await use(startSecretsManager({ 'test/default': { redis: { url: redis.url } } }));
const lambda = await use(startContainer(secrets));

const FILL = `for at = ARGV[1], ARGV[2] do
  redis.call('XADD', KEYS[1], at .. '-0', 'value', ARGV[3])
end`;

let streams = 0;
/** A stream of entries from `1-0` on, a given number of each size, and a group at its start. */
async function filled(...parts: [entries: number, bytes: number][]): Promise<string> {
  const key = `portions:${++streams}`;
  let next = 1;
  for (const [entries, bytes] of parts) {
    await redis.server.command('EVAL', FILL, '1', key, String(next), String(next + entries - 1), 'x'.repeat(bytes));
    next += entries;
  }
  await redis.server.command('XGROUP', 'CREATE', key, 'g', '0', 'MKSTREAM');
  return key;
}

/** The same, all pending for another consumer. */
async function delivered(...parts: [entries: number, bytes: number][]): Promise<string> {
  const key = await filled(...parts);
  const entries = parts.reduce((sum, [count]) => sum + count, 0);
  for (let last = 0; last < entries; last += 10_000) {
    const ids = Array.from({ length: Math.min(10_000, entries - last) }, (_, at) => `${last + at + 1}-0`);
    await redis.server.command('XCLAIM', key, 'g', 'other', '0', ...ids, 'FORCE', 'JUSTID');
  }
  await redis.server.command('XGROUP', 'SETID', key, 'g', '$');
  return key;
}

const numbers = (count: number) => Array.from({ length: count }, (_, at) => `${at + 1}-0`);
const idsOf = (entries: unknown) => (entries as { id: string }[]).map(({ id }) => id);

/** The output of a call, and what its scripts looked at. */
async function call(operation: string, parameters: object): Promise<{ output: unknown; looks: Look[] }> {
  await redis.takeLooks();
  const { output, error } = await callStream(lambda, 'direct invocation', operation, parameters);
  expect(error).toBeUndefined();
  const looks = await redis.takeLooks();
  expect(looks.length).toBeGreaterThan(0);
  return { output, looks };
}

const unbounded = (looks: readonly Look[]) => looks.filter((look) => !isBounded(look));

const SHAPES: [name: string, parts: [number, number][], readable: number][] = [
  ['5,000 small entries', [[5000, 10]], 5000],
  ['500 entries of 10 kB', [[500, 10_000]], 500],
  [
    'small entries, and then entries of 3 MB',
    [
      [500, 10],
      [20, 3_000_000],
    ],
    502,
  ],
];

describe.each(SHAPES)('a script looks at no more than 1,000 entries or 256 kB: %s', (_, parts, readable) => {
  it('a script of xreadgroup reads new entries in portions', async () => {
    const key = await filled(...parts);

    const { output, looks } = await call('xreadgroup', read(key));

    expect(unbounded(looks)).toEqual([]);
    expect(idsOf((output as Record<string, unknown>)[key])).toEqual(numbers(readable));
  });

  it('a script of xreadgroup reads its own history in portions', async () => {
    const key = await delivered(...parts);

    const { output, looks } = await call('xreadgroup', { ...read(key, '0'), consumer: 'other' });

    expect(unbounded(looks)).toEqual([]);
    expect(idsOf((output as Record<string, unknown>)[key])).toEqual(numbers(readable));
  });

  it('a script of xclaim claims in portions', async () => {
    const key = await delivered(...parts);

    const ids = numbers(parts.reduce((sum, [count]) => sum + count, 0));
    const { output, looks } = await call('xclaim', { key, group: 'g', consumer: 'c', minIdleMs: 0, ids });

    expect(unbounded(looks)).toEqual([]);
    expect(idsOf(output)).toEqual(numbers(readable));
  });

  it('a script of xautoclaim claims in portions', async () => {
    const key = await delivered(...parts);

    const claim = { key, group: 'g', consumer: 'c', minIdleMs: 0, count: 10_000 };
    const { output, looks } = await call('xautoclaim', claim);

    expect(unbounded(looks)).toEqual([]);
    expect(idsOf((output as { entries: unknown }).entries)).toEqual(numbers(readable));
  });
});

const read = (key: string, id = '>') => ({ group: 'g', consumer: 'c', streamWatermarks: [{ key, id }] });

it('xautoclaim looks at as many pending entries as Redis if none is idle, and says where to continue', async () => {
  const key = await delivered([50_000, 1]);

  const claim = { key, group: 'g', consumer: 'c', minIdleMs: 3_600_000, count: 200 };
  const { output, looks } = await call('xautoclaim', claim);

  expect(unbounded(looks)).toEqual([]);
  expect(output).toEqual({ next: '2001-0', entries: [], deletedIds: [] });
});

it('a script of xreadgroup reads many streams in portions', async () => {
  const keys = await Promise.all(Array.from({ length: MAX_ITEMS }, () => filled([3, 10])));

  const streamWatermarks = keys.map((key) => ({ key, id: '>' }));
  const { output, looks } = await call('xreadgroup', { group: 'g', consumer: 'c', streamWatermarks });

  expect(unbounded(looks)).toEqual([]);
  expect(Object.values(output as object).map(idsOf)).toEqual(keys.map(() => numbers(3)));
});

it('a script of xreadgroup takes over idle entries in portions', async () => {
  const key = await delivered([5000, 10]);
  const { error } = await callStream(lambda, 'direct invocation', 'xreadgroup', {
    ...read(key),
    claimMinIdleMs: '9999999',
  });
  if (error) return expect(error.message).toMatch(/Redis 8\.4/);

  const { output, looks } = await call('xreadgroup', { ...read(key), claimMinIdleMs: 0 });

  expect(unbounded(looks)).toEqual([]);
  expect(idsOf((output as Record<string, unknown>)[key])).toEqual(numbers(5000));
});
