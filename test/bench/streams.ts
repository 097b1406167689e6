import type { RedisServer } from '#sandbox/redis/redis-server.ts';

const GROUP = 'bench';
let streams = 0;

/** KEYS stream; ARGV first, last, keys, value, group. The group begins at the start. */
const FILL = `
for at = ARGV[1], ARGV[2] do
  redis.call('XADD', KEYS[1], '*', 'businessEntity', 'c360.person', 'sourceSystem', 'bench',
    'sourcePKey', tostring(at % tonumber(ARGV[3])), 'record', ARGV[4])
end
if ARGV[1] == '1' then redis.call('XGROUP', 'CREATE', KEYS[1], ARGV[5], '0') end`;

const RECORD = JSON.stringify({ firstName: 'x'.repeat(100 - JSON.stringify({ firstName: '' }).length) });
const ENTRIES_A_SCRIPT = 100_000;

/** Makes a stream of this many source records with values of 100 bytes, cycling through this many keys. */
export async function fillStream(redis: RedisServer, entries: number, keys: number): Promise<string> {
  const stream = `bench:stream:${++streams}`;
  await fill(redis, stream, entries, keys);
  return stream;
}

/** The same for shards with this many entries each; returns their base name. */
export async function fillShards(redis: RedisServer, shards: number, entries: number, keys: number): Promise<string> {
  const stream = `bench:stream:${++streams}`;
  for (const shard of shardsOf(stream, shards)) await fill(redis, shard, entries, keys);
  return stream;
}

export const shardsOf = (stream: string, shards: number) =>
  Array.from({ length: shards }, (_, at) => `${stream}:${at}`);

async function fill(redis: RedisServer, stream: string, entries: number, keys: number): Promise<void> {
  for (let first = 1; first <= entries; first += ENTRIES_A_SCRIPT) {
    const last = Math.min(first + ENTRIES_A_SCRIPT - 1, entries);
    await redis.command('EVAL', FILL, '1', stream, ...[first, last, keys].map(String), RECORD, GROUP);
  }
}

/** What a consumer takes to work on such a stream. */
export const groupOf = (stream: string) => ({ stream, group: GROUP });

export async function removeStreams(redis: RedisServer, ...names: string[]): Promise<void> {
  await redis.command('DEL', ...names);
}
