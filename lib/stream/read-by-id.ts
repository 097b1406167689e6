import { tooLarge } from '../contract/refusals.ts';
import type { Redis } from '../redis/redis.ts';
import type { Output, WrittenOutput } from '../invocation/output.ts';
import type { EntryOptions, Fields, Pairs } from './entries.ts';
import { EntryDecoder } from './entry-decoder.ts';
import { readRange, TextLimit } from './read-range.ts';
import { readCount } from './watermarks.ts';

export interface XrangeParameters extends EntryOptions {
  key: string;
  start: string;
  end: string;
  /** Maximum entries; 0 or less for none. */
  count?: number | string;
}

/**
 * The entries between two ids, in the order of the stream; with `reverse`, the newest first.
 *
 * @throws {ConnectorError} `STREAM:*`; 413 if they do not fit into a response, 422 for an entry that the form cannot
 *   hold.
 */
export async function readById(
  redis: Redis,
  { key, start, end, count, ...options }: XrangeParameters,
  output: Output,
  reverse = false,
): Promise<WrittenOutput<Record<string, Fields | Pairs>>> {
  const [from, to] = reverse ? [end, start] : [start, end];
  const range = { key, from, to, reverse, count: readCount(count) };
  const decoder = new EntryDecoder(options, output.travel);
  const portions = readRange(redis, range, decoder, (entry) => decoder.member(entry), new TextLimit(output));
  for await (const { values, bytes } of portions) {
    output.add(values, bytes);
    if (output.isTooLarge) throw tooLarge('stream', 'count');
  }
  return output.end();
}
