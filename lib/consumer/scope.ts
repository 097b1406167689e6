import type { ShardSelection as Shards } from '../contract/parameters/status.ts';
import type { IngestConfig } from '../config/config.schema.ts';

/** The scope of an operation on the consumer's streams. */
export type ScopeParameters = Shards & { group?: string };

/** The shards, and the group; without one, all groups of the shards. */
export interface Scope {
  streams: string[];
  group: string | undefined;
}

/** The names of the shards of a stream, `<stream>:0` and on. */
export const shardNames = (stream: string, shards: number): string[] =>
  Array.from({ length: shards }, (_, shard) => `${stream}:${shard}`);

/**
 * The requested shards; without a stream, those of the secret's `ingest`.
 *
 * @example
 * scopeOf({ stream: 'orders', shards: 2, group: 'g' }, ingest); // { streams: ['orders:0', 'orders:1'], group: 'g' }
 */
export function scopeOf({ stream, shards, group }: ScopeParameters, ingest: IngestConfig): Scope {
  if (stream === undefined) {
    return { streams: shardNames(ingest.stream, shards ?? ingest.shards), group: group ?? ingest.group };
  }
  return { streams: shards === undefined ? [stream] : shardNames(stream, shards), group };
}
