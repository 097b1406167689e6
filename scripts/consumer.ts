import { parseArgs } from 'node:util';
import { Deadline } from '../lib/core/deadline.ts';
import { createLog } from '../lib/core/log.ts';
import { commandClient } from '../lib/redis/connections.ts';
import { Connection } from '../lib/redis/connection.ts';
import type { Redis } from '../lib/redis/redis.ts';
import { readStatus, type StreamStatus } from '../lib/consumer/status.ts';
import { formatTable } from './consumer/table.ts';

/*
 * npm run consumer -- --status <stream>: where a stream, or every shard of it, stands, for a person.
 */

const USAGE = `npm run consumer -- --status <stream> [--redis-url <url>] [--config-ref <name>]

  <stream>       a shard (source-submit:0), or the name that all shards begin with (source-submit)
  --redis-url    the Redis to look at; default REDIS_URL, else that of the secret of --config-ref
  --config-ref   default: default; needs CONNECTOR_SECRET_PREFIX and AWS credentials, as the functions do`;

const TIMEOUT_MS = 10_000;

try {
  const { values } = parseArgs({
    options: {
      status: { type: 'string' },
      'redis-url': { type: 'string', default: process.env.REDIS_URL },
      'config-ref': { type: 'string', default: 'default' },
    },
  });
  if (!values.status) throw new Error(USAGE);
  const redis = values['redis-url'] ? openUrl(values['redis-url']) : await openConfig(values['config-ref']);
  const shards = await readShards(redis, values.status);
  if (shards.length === 0) throw new Error(`There is no stream ${values.status}, and no ${values.status}:0`);
  print(shards);
  process.exit(0);
} catch (error) {
  console.error((error as Error).message);
  process.exit(1);
}

function openUrl(url: string): Redis {
  const config = { mode: 'standalone' as const, url, connectTimeoutMs: TIMEOUT_MS, commandTimeoutMs: TIMEOUT_MS };
  const connection = new Connection(config);
  return {
    slotOf: () => 0,
    send: async (command) => command.decode(await connection.send(command, TIMEOUT_MS)),
  };
}

async function openConfig(configRef: string): Promise<Redis> {
  const call = {
    operation: 'stream-consumer',
    connector: 'stream' as const,
    requestId: 'status',
    log: createLog('error'),
  };
  return commandClient({ ...call, configRef, deadline: Deadline.after(TIMEOUT_MS) });
}

/** The stream of this name, or its shards, `<name>:0` and on. */
async function readShards(redis: Redis, name: string): Promise<StreamStatus[]> {
  const alone = await readStatus(redis, name);
  if (alone) return [alone];
  const shards: StreamStatus[] = [];
  for (;;) {
    const shard = await readStatus(redis, `${name}:${shards.length}`);
    if (!shard) return shards;
    shards.push(shard);
  }
}

function print(shards: readonly StreamStatus[]): void {
  const groups = shards.flatMap(({ stream, length, groups }) => groups.map((group) => ({ stream, length, ...group })));
  const rows = groups.map(({ stream, length, group, lag, pending, oldestPendingMs, isLeased, deadLetters }) => [
    ...[stream, length, group, lag ?? 'unknown', pending, formatAge(oldestPendingMs), isLeased ? 'active' : 'idle'],
    deadLetters.reduce((sum, { count }) => sum + count, 0),
  ]);
  const noGroup = shards.filter(({ groups }) => groups.length === 0).map(({ stream, length }) => [stream, length, '–']);
  const columns = ['stream', 'length', 'group', 'lag', 'pending', 'oldest', 'run', 'dead letters'];
  console.log(formatTable(columns, [...rows, ...noGroup]));
  const letters = groups.flatMap(({ stream, group, deadLetters }) =>
    deadLetters.map(({ count, errorType, reason }) => [stream, group, count, errorType, reason]),
  );
  if (letters.length > 0) {
    console.log(`\n${formatTable(['stream', 'group', 'dead letters', 'error', 'reason'], letters)}`);
  }
}

function formatAge(ms: number | null): string {
  if (ms === null) return '–';
  const units: [number, string][] = [[86_400_000, 'd'], [3_600_000, 'h'], [60_000, 'min'], [1000, 's']]; // prettier-ignore
  const [size, unit] = units.find(([size]) => ms >= size) ?? [1, 'ms'];
  return `${Math.floor(ms / size)} ${unit}`;
}
