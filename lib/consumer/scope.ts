import type { ShardSelection as Shards } from '../contract/parameters/status.ts';
import type { IngestConfig } from '../config/config.schema.ts';
import type { Origin } from './dead-letters/letter.ts';

/** The scope of an operation on the consumer's streams. */
export type ScopeParameters = Shards & { group?: string };

/** The shards, and the group; without one, all groups of the shards. */
export interface Scope {
  streams: string[];
  group: string | undefined;
  /** The stream that is named for the dead letters of a group. Undefined: each shard and group has its own. */
  namedLetters?: (of: Origin) => string | undefined;
}

/** The names of the shards of a stream, `<stream>:0` and on. */
export const shardNames = (stream: string, shards: number): string[] =>
  Array.from({ length: shards }, (_, shard) => `${stream}:${shard}`);

/** The names of the shards of the secret's `ingest`. */
export const ingestShards = ({ stream, shards }: IngestConfig): ReadonlySet<string> =>
  new Set(shardNames(stream, shards));

/**
 * The requested shards; without a stream, those of the secret's `ingest`. The dead letters of its group are where its
 * `deadLetterStream` says, whether the request names its shards or not.
 *
 * @example
 * scopeOf({ stream: 'orders', shards: 2, group: 'g' }, ingest); // { streams: ['orders:0', 'orders:1'], group: 'g', … }
 */
export function scopeOf({ stream, shards, group }: ScopeParameters, ingest: IngestConfig): Scope {
  const { deadLetterStream } = ingest.consumer;
  if (stream === undefined) {
    const streams = shardNames(ingest.stream, shards ?? ingest.shards);
    return { streams, group: group ?? ingest.group, namedLetters: () => deadLetterStream };
  }
  const streams = shards === undefined ? [stream] : shardNames(stream, shards);
  const ofIngest = ingestShards(ingest);
  const isIngest = (of: Origin) => of.group === ingest.group && ofIngest.has(of.stream);
  return { streams, group, namedLetters: (of) => (isIngest(of) ? deadLetterStream : undefined) };
}
