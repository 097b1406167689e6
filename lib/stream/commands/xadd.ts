import type { EvictionOption } from '../../contract/stream-parameters.ts';
import type { Command } from '../../redis/redis.ts';
import type { Fields } from '../entries.ts';
import { evictionArgs } from '../eviction.ts';

export interface XaddParameters {
  key: string;
  /** Default `*`. */
  id?: string;
  entry: Fields;
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
}: XaddParameters): Command<string | null> {
  const options = [...(noMkStream ? ['NOMKSTREAM'] : []), ...evictionArgs(evictionOption)];
  return {
    key,
    args: ['XADD', key, ...options, id, ...Object.entries(entry).flat()],
    decode: (reply) => reply as string | null,
  };
}
