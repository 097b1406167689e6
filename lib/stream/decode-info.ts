import type { InfoValue } from '../contract/parameters/stream-info.ts';
import { exactInteger } from '../core/json.ts';
import type { Reply } from '../redis/redis.ts';
import { readText, unknownReply } from '../redis/reply-shapes.ts';

/** Fields with Redis' own names. */
export type Info = Record<string, InfoValue>;

/**
 * Reads alternating names and values. In a reply as bytes, text is bytes and an integer is its digits, so that unknown
 * fields of newer servers have the right type too.
 */
export function decodeInfo(pairs: readonly Reply[]): Info {
  const info: Info = {};
  for (let at = 0; at < pairs.length; at += 2) info[readText(pairs[at])] = decodeValue(pairs[at + 1]);
  return info;
}

function decodeValue(value: Reply | undefined): InfoValue {
  if (value === undefined || Array.isArray(value)) throw unknownReply();
  return typeof value === 'string' ? exactInteger(value) : value && String(value);
}
