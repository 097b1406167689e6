import type { ShardSelection as Shards } from '../contract/parameters/status.ts';
import type { IngestConfig } from '../config/config.schema.ts';

/** The scope of an operation on the consumer's streams. */
export type ScopeParameters = Shards & { group?: string };

/** The shards, and the group; without one, all groups of the shards. */
export interface Scope {
  streams: string[];
  group: string | undefined;
  /** Where the secret lets the dead letters of its shards lie. Default: in a stream of each shard and group. */
  deadLetterStream?: string;
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
    const { deadLetterStream } = ingest.consumer;
    const streams = shardNames(ingest.stream, shards ?? ingest.shards);
    return { streams, group: group ?? ingest.group, deadLetterStream };
  }
  return { streams: shards === undefined ? [stream] : shardNames(stream, shards), group };
}
