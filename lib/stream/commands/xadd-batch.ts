import type { Command } from '../../redis/redis.ts';
import { readId, readList, unknownReply } from '../../redis/reply-shapes.ts';
import type { Fields, Pairs } from '../entries.ts';
import { xaddCommand, type XaddParameters } from './xadd.ts';

export interface XaddBatchParameters extends Omit<XaddParameters, 'id' | 'entry' | 'idempotency'> {
  entries: readonly (Fields | Pairs)[];
}

/** Appends entries, all or none; returns their ids, or null if the stream is missing and `noMkStream` is true. */
export function xaddBatchCommand({ entries, ...options }: XaddBatchParameters): Command<string[] | null> {
  const { key } = options;
  return {
    key,
    args: [],
    transaction: entries.map((entry) => xaddCommand({ ...options, entry }).args),
    decode(reply) {
      const ids = readList(reply);
      if (ids.length !== entries.length) throw unknownReply();
      return ids[0] === null ? null : ids.map(readId);
    },
  };
}
