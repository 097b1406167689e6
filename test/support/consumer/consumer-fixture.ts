import { randomUUID } from 'node:crypto';
import { Deadline } from '#lib/core/deadline.ts';
import { ConnectorError } from '#lib/core/errors.ts';
import { createLog } from '#lib/core/log.ts';
import { Connection } from '#lib/redis/connection.ts';
import type { Redis } from '#lib/redis/redis.ts';
import type { Clock } from '#lib/consumer/clock.ts';
import { fieldOf, type Entry } from '#lib/consumer/entry.ts';
import { openRate } from '#lib/consumer/group/rate.ts';
import { RedisGroup, type GroupOptions } from '#lib/consumer/group/redis-group.ts';
import type { Report } from '#lib/consumer/report.ts';
import { consume } from '#lib/consumer/consume.ts';
import { deadLetterStreamOf } from '#lib/consumer/redis-keys.ts';
import { VIEW_LIMIT, type Settings } from '#lib/consumer/settings.ts';
import type { Target } from '#lib/consumer/targets/target.ts';
import { startRedisServer, type RedisServer } from '#sandbox/redis/redis-server.ts';

/** Redis as the functions see it, over its own connection, which an exceeded bound ends as it does there. */
export function openRedis(port: number, commandTimeoutMs = 2000, login = ''): Redis & { end(): void } {
  const config = {
    mode: 'standalone' as const,
    url: `redis://${login}127.0.0.1:${port}`,
    connectTimeoutMs: 5000,
    commandTimeoutMs,
  };
  const connections: Record<'shared' | 'blocking', Connection | undefined> = { shared: undefined, blocking: undefined };
  return {
    slotOf: () => 0,
    async send(command) {
      const kind = command.blockMs === undefined ? 'shared' : 'blocking';
      if (!connections[kind]?.isOpen) connections[kind] = new Connection(config);
      const deadline = Deadline.after(commandTimeoutMs + (command.blockMs ?? 0));
      return command.decode(await connections[kind].send(command, deadline));
    },
    end: () => Object.values(connections).forEach((connection) => connection?.end()),
  };
}

/** A target that writes down what it was given, and does what the test asks. */
export interface Recorder extends Target {
  /** The entries that it processed, `key=value` each, in order. */
  readonly processed: string[];
  /** What was attempted, failures included. */
  readonly attempted: string[];
}

/** Entries of these tests have a field `k`, their key, and a field `v`. */
const nameOf = (entry: Entry) => `${fieldOf(entry, 'k')}=${fieldOf(entry, 'v')}`;

export function recorder(process: (name: string, signal: AbortSignal) => unknown = () => {}): Recorder {
  const processed: string[] = [];
  const attempted: string[] = [];
  return {
    processed,
    attempted,
    keyFields: ['k'],
    async process(entry, { signal }) {
      attempted.push(nameOf(entry));
      await process(nameOf(entry), signal);
      processed.push(nameOf(entry));
    },
  };
}

export const outage = () => new ConnectorError('MDM:SERVER_ERROR', 'The API answered 503', { upstreamStatus: 503 });
export const failure = () => new ConnectorError('MDM:SERVER_ERROR', 'The API answered 500', { upstreamStatus: 500 });
export const refusal = () => new ConnectorError('MDM:CLIENT_ERROR', 'The API answered 422', { upstreamStatus: 422 });

export type RunOptions = Partial<Settings & GroupOptions> & {
  redis?: Redis;
  /** Works on `<stream>:0` to `<stream>:<shards - 1>` instead of the stream itself. */
  shards?: number;
  startSuccessor?: () => Promise<void>;
  clock?: Clock;
};

/** The refusals whose fault may be the target's: 403, 404, 405. */
export const forbidden = () => new ConnectorError('MDM:CLIENT_ERROR', 'The API answered 403', { upstreamStatus: 403 });

/** Time of a command on a machine that stalls. A server that is killed ends its connections at once. */
const PATIENCE_MS = 20_000;

/** A real redis-server, a stream on it, and runs of the consumer over it. */
export class ConsumerFixture {
  readonly server: RedisServer;
  readonly redis: Redis & { end(): void };
  readonly logged: string[] = [];
  stream = '';
  readonly group = 'g';

  constructor(server: RedisServer) {
    this.server = server;
    this.redis = openRedis(server.port, PATIENCE_MS);
  }

  static async open(options?: Parameters<typeof startRedisServer>[0]): Promise<ConsumerFixture> {
    return new ConsumerFixture(await startRedisServer(options));
  }

  /** Appends entries `key=value`; returns their ids. */
  async add(...names: string[]): Promise<string[]> {
    const pairs = names.map((name) => name.split('=') as [string, string]);
    const ids: string[] = [];
    while (pairs.length > 0) {
      // each has the time of a command, and those before it take some
      const part = pairs.splice(0, 500);
      const sent = part.map(([k, v]) => this.send<string>('XADD', this.stream, '*', 'k', k, 'v', v));
      ids.push(...(await Promise.all(sent)));
    }
    return ids;
  }

  // oxlint-disable-next-line typescript/no-explicit-any -- replies have any shape
  async send<T = any>(...args: string[]): Promise<T> {
    return this.redis.send({ key: this.stream, args, decode: (reply) => reply as T });
  }

  async run(
    target: Target,
    { redis = this.redis, shards, startSuccessor, clock, ...options }: RunOptions = {},
  ): Promise<Report> {
    const { group } = this;
    const { keyFields } = target;
    const settings = {
      batchSize: 100,
      concurrency: 10,
      maxDeliveries: 5,
      backoffMs: 20,
      leaseMs: 30_000, // a machine that stalls loses a shorter one, and the run ends
      trim: false,
      startId: '0',
      refusalLimit: 20,
      lingerMs: 0,
      bodyBytes: 128 * 2 ** 20,
      viewLimit: VIEW_LIMIT,
      budgetMs: 25_000,
      ...options,
    };
    const streams =
      shards === undefined ? [this.stream] : Array.from({ length: shards }, (_, n) => `${this.stream}:${n}`);
    const log = createLog('info', {}, (line) => this.logged.push(line));
    const run = randomUUID();
    const rate = openRate(redis, streams[0]!, { ...settings, group });
    const { report, error } = await consume({
      shards: streams.map((stream) => {
        const deadLetterStream = deadLetterStreamOf(stream, group);
        const groupOptions = { stream, group, run, keyFields, deadLetterStream, ...settings };
        return { stream, group: new RedisGroup(redis, groupOptions) };
      }),
      target,
      settings,
      log,
      startSuccessor,
      clock,
      rate,
    });
    if (error) throw error;
    return report;
  }

  /** Pending entries, `[id, consumer, idle, deliveries]` each. */
  pending(): Promise<string[][]> {
    return this.send('XPENDING', this.stream, this.group, '-', '+', '1000');
  }

  /** Dead letters, as objects. */
  async deadLetters(stream = deadLetterStreamOf(this.stream, this.group)): Promise<Record<string, string>[]> {
    const entries = await this.send<[string, string[]][]>('XRANGE', stream, '-', '+');
    return entries.map(([, fields]) => toObject(fields));
  }

  async close(): Promise<void> {
    this.redis.end();
    await this.server.stop();
  }
}

function toObject(fields: readonly string[]): Record<string, string> {
  const object: Record<string, string> = {};
  for (let index = 0; index < fields.length; index += 2) object[fields[index]!] = fields[index + 1]!;
  return object;
}
