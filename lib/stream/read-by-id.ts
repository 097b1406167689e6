import { orderedObject } from '../core/json.ts';
import type { Redis } from '../redis/redis.ts';
import type { ResponseSize } from '../runtime/response-size.ts';
import { decodeFields, type EntryOptions, type Fields, type Pairs } from './entries.ts';
import { readRange, TextLimit } from './read-range.ts';
import { readCount } from './watermarks.ts';

export interface XrangeParameters extends EntryOptions {
  key: string;
  start: string;
  end: string;
  /** Most entries; 0 or less is none. */
  count?: number | string;
}

/**
 * Entries between two ids, by id, in the order of the stream; with `reverse` newest first.
 *
 * @throws {ConnectorError} `STREAM:*`; 413 for what cannot travel, 422 for an entry that the chosen form cannot hold.
 */
export async function readById(
  redis: Redis,
  { key, start, end, count, ...options }: XrangeParameters,
  size: ResponseSize,
  reverse = false,
): Promise<Record<string, Fields | Pairs>> {
  const [from, to] = reverse ? [end, start] : [start, end];
  const range = { key, from, to, reverse, count: readCount(count) };
  const entries = await readRange(redis, range, options, new TextLimit(size));
  return orderedObject(entries.map(([id, fields]) => [String(id), decodeFields(String(id), fields!, options)]));
}
