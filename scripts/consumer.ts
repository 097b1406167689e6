import { parseArgs } from 'node:util';
import { Deadline } from '../lib/core/deadline.ts';
import { createLog } from '../lib/core/log.ts';
import { commandClient } from '../lib/redis/connections.ts';
import { Connection } from '../lib/redis/connection.ts';
import type { Redis } from '../lib/redis/redis.ts';
import { readConfig } from '../lib/runtime/config.ts';
import { scopeOf, shardNames, type Scope } from '../lib/consumer/scope.ts';
import { readStatus, type GroupStatus } from '../lib/consumer/status.ts';
import { formatTable } from './consumer/table.ts';

/*
 * npm run consumer -- --status: what stream-status reports, as a table for a person.
 */

const USAGE = `npm run consumer -- --status [<stream>] [--shards <n>] [--group <group>] [--redis-url <url>] [--config-ref <name>]

  <stream>       a shard (source-submit:0), or the name that all shards begin with (source-submit);
                 default: the stream, shards and group of the secret's ingest
  --shards       how many shards <stream> has; default: those that exist
  --group        default: all groups of <stream>
  --redis-url    the Redis to look at; default REDIS_URL, else that of the secret of --config-ref
  --config-ref   default: default; needs CONNECTOR_SECRET_PREFIX and AWS credentials, as the functions do`;

const TIMEOUT_MS = 10_000;
const MAX_SHARDS = 1024;

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      status: { type: 'boolean' },
      shards: { type: 'string' },
      group: { type: 'string' },
      'redis-url': { type: 'string', default: process.env.REDIS_URL },
      'config-ref': { type: 'string', default: 'default' },
    },
  });
  const [stream] = positionals;
  const shards = values.shards === undefined ? undefined : Number(values.shards);
  const url = values['redis-url'];
  if (!values.status || positionals.length > 1 || (shards !== undefined && !(shards >= 1 && shards <= MAX_SHARDS))) {
    throw new Error(USAGE);
  }
  if (stream === undefined && url) throw new Error(`Without a secret, <stream> is needed\n\n${USAGE}`);
  const redis = url ? openUrl(url) : await openConfig(values['config-ref']);
  const scope = await chooseScope(redis, { stream, shards, group: values.group, configRef: values['config-ref'] });
  print(await readStatus(redis, scope));
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
    memoryMb: 512,
    log: createLog('error'),
  };
  return commandClient({ ...call, configRef, deadline: Deadline.after(TIMEOUT_MS) });
}

interface Asked {
  stream: string | undefined;
  shards: number | undefined;
  group: string | undefined;
  configRef: string;
}

async function chooseScope(redis: Redis, { configRef, ...asked }: Asked): Promise<Scope> {
  const { stream, shards, group } = asked;
  if (stream === undefined) return scopeOf(asked, (await readConfig(configRef, 'stream')).ingest);
  const candidates = shards === undefined ? [stream, ...shardNames(stream, MAX_SHARDS)] : shardNames(stream, shards);
  const exist = await Promise.all(
    candidates.map((key) => redis.send({ key, args: ['EXISTS', key], decode: (reply) => reply === '1' })),
  );
  const streams = candidates.filter((_, at) => exist[at]);
  if (streams.length === 0) throw new Error(`There is no stream ${stream}, and no ${stream}:0 or other shard`);
  return { streams, group };
}

function print(rows: readonly GroupStatus[]): void {
  const columns = [
    ...['stream', 'length', 'group', 'lag', 'oldest unread', 'pending', 'oldest pending'],
    ...['run', 'breaker', 'dead letters'],
  ];
  const table = rows.map((row) => [
    ...[row.stream, row.length, row.group, row.lag ?? 'unknown', formatAge(row.oldestUnreadMs)],
    ...[row.pending, formatAge(row.oldestPendingMs), formatRun(row), formatBreaker(row)],
    row.deadLetters.reduce((sum, { count }) => sum + count, 0),
  ]);
  console.log(rows.length === 0 ? 'No consumer group reads these streams' : formatTable(columns, table));
  const letters = rows.flatMap(({ stream, group, deadLetters }) =>
    deadLetters.map(({ count, errorType, reason }) => [stream, group, count, errorType, reason]),
  );
  if (letters.length > 0) {
    console.log(`\n${formatTable(['stream', 'group', 'dead letters', 'error', 'reason'], letters)}`);
  }
}

function formatRun({ run, pausedUntil }: GroupStatus): string {
  return pausedUntil ? `paused until ${pausedUntil}` : run;
}

function formatBreaker({ breaker, restMs }: GroupStatus): string {
  return restMs > 0 ? `${breaker}, rests ${formatAge(restMs)}` : breaker;
}

function formatAge(ms: number | null): string {
  if (ms === null) return '–';
  const units: [number, string][] = [[86_400_000, 'd'], [3_600_000, 'h'], [60_000, 'min'], [1000, 's']]; // prettier-ignore
  const [size, unit] = units.find(([size]) => ms >= size) ?? [1, 'ms'];
  return `${Math.floor(ms / size)} ${unit}`;
}
