import { randomUUID } from 'node:crypto';
import type { ConnectorError, Fault } from '../../core/errors.ts';
import type { Redis } from '../../redis/redis.ts';
import { chooseDeadLetterStream } from '../dead-letters/letter.ts';
import { RedisGroup, type GroupOptions } from './redis-group.ts';

type Options = Omit<GroupOptions, 'stream' | 'run' | 'deadLetterStream'> & { deadLetterStream?: string };

/**
 * The shards of a run, each with its group.
 *
 * @throws {ConnectorError} made by `refuse`, for a dead-letter stream that a shard cannot use
 */
export function openShards(
  redis: Redis,
  streams: readonly string[],
  options: Options,
  refuse: (faults: readonly Fault[]) => ConnectorError,
): { stream: string; group: RedisGroup }[] {
  const run = randomUUID();
  return streams.map((stream) => {
    const deadLetterStream = chooseDeadLetterStream(redis, { ...options, stream }, refuse);
    return { stream, group: new RedisGroup(redis, { ...options, stream, run, deadLetterStream }) };
  });
}
