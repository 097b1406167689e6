import type { EvictionOption } from '../../contract/parameters/stream.ts';
import type { Command } from '../../redis/redis.ts';
import { readIdOrNil } from '../../redis/reply-shapes.ts';
import { fieldArgs, type EntryOptions, type Fields, type Pairs } from '../entries.ts';
import { evictionArgs, referenceArgs, referenceNeeds, type References } from '../eviction.ts';

export interface XaddParameters extends EntryOptions {
  key: string;
  /** Default `*`. */
  id?: string;
  entry: Fields | Pairs;
  noMkStream?: boolean;
  evictionOption?: EvictionOption;
  /** What happens to group references of entries that are evicted. */
  references?: References;
  /** Adds the entry once, however often the same producer sends the same id. Redis 8.6 and newer. */
  idempotency?: { producer: string; id: string };
}

/** Appends an entry; returns its id, or null if the stream is missing and `noMkStream` is true. */
export function xaddCommand({
  key,
  id = '*',
  entry,
  noMkStream,
  evictionOption,
  references,
  encoding,
  idempotency,
}: XaddParameters): Command<string | null> {
  const once = idempotency ? ['IDMP', idempotency.producer, idempotency.id] : [];
  const options = [
    ...(noMkStream ? ['NOMKSTREAM'] : []),
    ...referenceArgs(references),
    ...once,
    ...evictionArgs(evictionOption),
  ];
  return {
    key,
    needs: idempotency ? { since: 'Redis 8.6', command: 'XADD', option: 'IDMP' } : referenceNeeds('XADD', references),
    args: ['XADD', key, ...options, id, ...fieldArgs(entry, { encoding })],
    decode: readIdOrNil,
  };
}
