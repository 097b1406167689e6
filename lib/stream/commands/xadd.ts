import type { EvictionOption } from '../../contract/stream-parameters.ts';
import type { Command } from '../../redis/redis.ts';
import { fieldArgs, type EntryOptions, type Fields, type Pairs } from '../entries.ts';
import { evictionArgs } from '../eviction.ts';

export interface XaddParameters extends EntryOptions {
  key: string;
  /** Default `*`. */
  id?: string;
  entry: Fields | Pairs;
  noMkStream?: boolean;
  evictionOption?: EvictionOption;
}

/** Appends an entry; answers its id, or null where `noMkStream` met no stream. */
export function xaddCommand({
  key,
  id = '*',
  entry,
  noMkStream,
  evictionOption,
  encoding,
}: XaddParameters): Command<string | null> {
  const options = [...(noMkStream ? ['NOMKSTREAM'] : []), ...evictionArgs(evictionOption)];
  return {
    key,
    args: ['XADD', key, ...options, id, ...fieldArgs(entry, { encoding })],
    decode: (reply) => reply as string | null,
  };
}
