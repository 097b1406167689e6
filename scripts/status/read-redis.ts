import '../build/import-lua.ts';
import { Deadline } from '#lib/core/deadline.ts';
import { openRedis } from '#lib/redis/connections.ts';
import { Connection } from '#lib/redis/connection.ts';
import type { Redis } from '#lib/redis/redis.ts';
import { readConfig } from '#lib/config/config.ts';
import { MAX_SHARDS } from '#lib/contract/max-shards.ts';
import { scopeOf, shardNames } from '#lib/consumer/scope.ts';
import type { GroupStatus } from '#lib/contract/parameters/status.ts';
import { ScriptError } from '../arguments.ts';

/** What to show: all shards and groups unless it says which. */
export interface Asked {
  readonly stream: string | undefined;
  readonly shards: number | undefined;
  readonly group: string | undefined;
  readonly configRef: string;
}

const TIMEOUT_MS = 10_000;

/**
 * Reads the status from Redis itself: the one at an address, or else that of the secret.
 *
 * @throws {ScriptError} if there is no such stream
 * @throws {ConnectorError} if Redis or the secret cannot be read
 */
export async function readStatusOf(url: string | undefined, asked: Asked): Promise<GroupStatus[]> {
  const { readStatus } = await import('#lib/consumer/operator/status.ts'); // its scripts need the import of Lua
  const { stream, shards, group, configRef } = asked;
  const redis = url ? openUrl(url) : await openConfig(configRef);
  const scopeBySecret = async () => scopeOf({ stream, shards, group }, (await readConfig(configRef, 'stream')).ingest);
  if (stream === undefined) return readStatus(redis, await scopeBySecret());
  const streams = await existingOf(redis, stream, shards);
  const scope = url ? {} : await scopeBySecret(); // an address comes without the settings of a secret
  return readStatus(redis, { ...scope, streams, group });
}

function openUrl(url: string): Redis {
  const config = { mode: 'standalone' as const, url, connectTimeoutMs: TIMEOUT_MS, commandTimeoutMs: TIMEOUT_MS };
  const connection = new Connection(config);
  return {
    slotOf: () => 0,
    send: async (command) => command.decode(await connection.send(command, Deadline.after(TIMEOUT_MS))),
  };
}

function openConfig(configRef: string): Redis | Promise<Redis> {
  return openRedis({
    config: () => readConfig(configRef, 'stream'),
    configRef,
    deadline: Deadline.after(TIMEOUT_MS),
  });
}

/** The streams that exist of those that are meant. */
async function existingOf(redis: Redis, stream: string, shards: number | undefined): Promise<string[]> {
  const candidates = shards === undefined ? [stream, ...shardNames(stream, MAX_SHARDS)] : shardNames(stream, shards);
  const exist = await Promise.all(
    candidates.map((key) => redis.send({ key, args: ['EXISTS', key], decode: (reply) => reply === '1' })),
  );
  const streams = candidates.filter((_, at) => exist[at]);
  if (streams.length === 0) throw new ScriptError(`There is no stream ${stream}, and no ${stream}:0 or other shard`);
  return streams;
}
