import { ConnectorError } from '../../core/errors.ts';
import type { Redis } from '../../redis/redis.ts';
import type { Log } from '../../core/log.ts';
import { openAnyClock } from '../redis-clock.ts';
import { pauseKeyOf } from '../redis-keys.ts';

/**
 * Pauses a group on these shards: runs end within a second, and none starts until the pause ends. A second pause
 * replaces the first.
 *
 * @returns when the pause ends, by the clock of Redis
 */
export async function pause(
  redis: Redis,
  { streams, group, forMs, log }: { streams: readonly string[]; group: string; forMs: number; log?: Pick<Log, 'warn'> },
): Promise<Date> {
  const { clock } = await openAnyClock(redis, streams, log);
  const until = clock.epochMs() + forMs;
  await sendToAll(redis, streams, group, (key) => ['SET', key, String(until), 'PX', String(forMs)]);
  return new Date(until);
}

/** Ends the pause of a group on these shards. */
export async function resume(redis: Redis, streams: readonly string[], group: string): Promise<void> {
  await sendToAll(redis, streams, group, (key) => ['DEL', key]);
}

/**
 * Sends a command to all shards. Of a cluster, those on nodes that are in reach get it.
 *
 * @throws {ConnectorError} `STREAM:*`, the first failure; its message has the number of shards that failed
 */
async function sendToAll(
  redis: Redis,
  streams: readonly string[],
  group: string,
  argsOf: (key: string) => string[],
): Promise<void> {
  const keys = streams.map((stream) => pauseKeyOf(stream, group));
  const sent = keys.map((key) => redis.send({ key, args: argsOf(key), decode: () => undefined }));
  const failures = (await Promise.allSettled(sent)).filter((result) => result.status === 'rejected');
  if (failures.length === 0) return;
  const cause: unknown = failures[0]!.reason;
  if (!(cause instanceof ConnectorError) || failures.length === streams.length) throw cause;
  const message = `${failures.length} of ${streams.length} shards failed: ${cause.message}`;
  throw new ConnectorError(cause.type, message, { ...cause, outcome: 'unknown', cause });
}
