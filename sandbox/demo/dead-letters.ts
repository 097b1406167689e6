import { deadLetterStreamOf } from '#lib/consumer/redis-keys.ts';
import type { Post } from '../stack/api.ts';
import { GROUP } from '../stack/names.ts';

/** An entry that the consumer gave up. */
export interface DeadLetter {
  /** Shard and id that the entry had. */
  source: string;
  errorType: string;
  reason: string;
}

/** The dead letters of all shards, read over HTTP. */
export async function readDeadLetters(post: Post, shards: readonly string[]): Promise<DeadLetter[]> {
  const read = await Promise.all(
    shards.map(async (shard) => {
      const key = deadLetterStreamOf(shard, GROUP);
      const entries = await post<Record<string, Record<string, string>>>('/stream/xrange', {
        key,
        start: '-',
        end: '+',
      });
      return Object.values(entries).map((entry) => ({
        source: `${shard} ${entry['dl-source-id']}`,
        errorType: entry['dl-error-type']!,
        reason: entry['dl-reason']!,
      }));
    }),
  );
  return read.flat();
}
