import { orderedObject } from '../../core/json.ts';
import type { Command } from '../../redis/redis.ts';
import { decodeEntries, type Fields } from '../entries.ts';

export interface XrangeParameters {
  key: string;
  start: string;
  end: string;
  count?: number | string;
}

/** Entries between two ids, by id, in the order of the stream. A count of 0 or less is none. */
export function xrangeCommand({ key, start, end, count }: XrangeParameters): Command<Record<string, Fields>> {
  return {
    key,
    args: ['XRANGE', key, start, end, ...(count === undefined ? [] : ['COUNT', String(count)])],
    decode: (reply) => orderedObject(decodeEntries(reply).map(({ id, entry }) => [id, entry!])),
  };
}
