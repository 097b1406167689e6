import { ConnectorError } from '#lib/core/errors.ts';
import { MAX_SHARDS } from '#lib/contract/max-shards.ts';
import { explainStatus, formatMs } from '#lib/contract/explain-status.ts';
import type { GroupStatus } from '#lib/contract/parameters/status.ts';
import { readArguments, ScriptError, stop, wholeNumber } from './arguments.ts';
import { formatTable } from './status/table.ts';
import { FunctionFailure, invoke } from '#sandbox/stack/lambda.ts';
import { readRemote, REMOTE_OPTIONS } from './remote/options.ts';
import { LAMBDA_PORT, readPort } from './port-options.ts';
import { checkRedisUrl } from '#sandbox/stack/redis-url.ts';
import type { Asked } from './status/read-redis.ts';

/*
 * npm run status: the output of stream-status as a table.
 */

const { values, positionals } = readArguments({
  command: 'npm run status',
  about: 'Shows the status of a stream, or of all its shards, as a table.',
  takes: '[<stream>]',
  positionals: 1,
  options: {
    shards: { type: 'string', value: '<n>', about: 'number of shards of <stream>; default: those that exist' },
    group: { type: 'string', value: '<group>', about: 'one group; default: all groups of <stream>' },
    'redis-url': { type: 'string', value: '<url>', about: 'the Redis server; default: REDIS_URL' },
    'config-ref': { type: 'string', default: 'default', value: '<name>', about: 'connector configuration' },
    'lambda-port': LAMBDA_PORT,
    ...REMOTE_OPTIONS,
  },
  examples: [
    'npm run status',
    'npm run status -- --remote --stage prod',
    'npm run status -- source-submit --redis-url redis://localhost',
  ],
  notes: `<stream> is a shard (source-submit:0), or the name that all shards begin with. Default: that of the secret's
ingest. Without a Redis: with CONNECTOR_SECRET_PREFIX, as the functions have it, the Redis of the secret; else the local
stack.`,
});

try {
  const [stream] = positionals;
  const { group, 'config-ref': configRef } = values;
  const shards = values.shards === undefined ? undefined : wholeNumber('shards', values.shards, { max: MAX_SHARDS });
  const remote = readRemote(values);
  if (remote && values['redis-url'] !== undefined) throw new ScriptError('Give --remote or --redis-url, not both');
  const url = remote ? undefined : (values['redis-url'] ?? process.env.REDIS_URL);
  if (url) checkRedisUrl(url, values['redis-url'] === undefined ? 'REDIS_URL' : '--redis-url');
  if (url && stream === undefined) throw new ScriptError('Name the stream: npm run status -- <stream>');
  const asked = { stream, shards, group, configRef };
  if (remote) {
    const { invokeRemote } = await import('./remote/invoke.ts'); // loads the AWS SDK
    print(await askFunction(asked, (payload) => invokeRemote(remote, 'stream-status', payload)));
  } else if (!url && process.env.CONNECTOR_SECRET_PREFIX === undefined) {
    // the Redis of the local stack has a random port
    const port = readPort('lambda-port', values['lambda-port']);
    print(await askFunction(asked, (payload) => invoke(port, 'stream-status', payload)));
  } else {
    const { readStatusOf } = await import('./status/read-redis.ts'); // loads the Redis client
    print(await readStatusOf(url, asked));
  }
  process.exit(0);
} catch (error) {
  if (error instanceof FunctionFailure) stop(new ScriptError(error.text));
  stop(error instanceof ConnectorError ? new ScriptError(error.message) : error);
}

/** The status by the function, which takes a stream without a number of shards for a shard. */
async function askFunction(asked: Asked, call: (payload: string) => Promise<string>): Promise<GroupStatus[]> {
  const ask = async (one: Asked) => JSON.parse(await call(JSON.stringify(one))) as GroupStatus[];
  const { stream, shards, group } = asked;
  if (stream === undefined || shards !== undefined) return ask(asked);
  const allGroups = { ...asked, group: undefined };
  const ofStream = await ask(allGroups);
  const rows = ofStream.length > 0 ? ofStream : await ask({ ...allGroups, shards: MAX_SHARDS });
  return rows.filter((row) => group === undefined || row.group === group);
}

function print(rows: readonly GroupStatus[]): void {
  const columns = [
    'stream',
    'length',
    'group',
    'lag',
    'oldest unread',
    'pending',
    'oldest pending',
    'run',
    'breaker',
    'calls/s',
    'dead letters',
  ];
  const table = rows.map((row) => [
    row.stream,
    row.length,
    row.group,
    row.lag ?? 'unknown',
    formatAge(row.oldestUnreadMs),
    row.pending,
    formatAge(row.oldestPendingMs),
    formatRun(row),
    formatBreaker(row),
    row.ratePerSecond ?? '–',
    row.deadLetters.reduce((sum, { count }) => sum + count, 0),
  ]);
  const needsAttention = (at: number) =>
    rows[at]!.breaker !== 'closed' ||
    rows[at]!.run === 'paused' ||
    rows[at]!.lastFailure !== null ||
    rows[at]!.deadLetters.length > 0;
  console.log(
    rows.length === 0 ? 'No consumer group reads these streams' : formatTable(columns, table, needsAttention),
  );
  for (const row of rows) {
    const explained = explainStatus(row, Date.now());
    if (explained) console.log(`\n${row.stream} ${row.group}: ${explained}`);
  }
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
  return ms === null ? '–' : formatMs(ms);
}
