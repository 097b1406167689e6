import { randomUUID } from 'node:crypto';
import type { ConnectorError, Fault } from '../../core/errors.ts';
import type { Redis } from '../../redis/redis.ts';
import { chooseDeadLetterStream } from '../dead-letters/letter.ts';
import { RedisGroup, type GroupOptions, type IsolatedEntries } from './redis-group.ts';

interface Options extends Omit<GroupOptions, 'stream' | 'run' | 'deadLetterStream' | 'isolatedEntries'> {
  /** Streams of two configurations may have the same name. */
  configRef: string;
  deadLetterStream?: string;
}

/** Entries in isolated attempts of this process, by configuration. */
const isolated = new Map<string, IsolatedEntries>();

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
  const isolatedEntries = isolated.get(options.configRef) ?? (new Map() as IsolatedEntries);
  isolated.set(options.configRef, isolatedEntries);
  return streams.map((stream) => {
    const deadLetterStream = chooseDeadLetterStream(redis, { ...options, stream }, refuse);
    return { stream, group: new RedisGroup(redis, { ...options, stream, run, deadLetterStream, isolatedEntries }) };
  });
}
