import type { EvictionOption } from '../../contract/parameters/stream.ts';
import type { Command } from '../../redis/redis.ts';
import { readInteger } from '../../redis/reply-shapes.ts';
import { evictionArgs } from '../eviction.ts';

/** Trims a stream; returns how many entries it removed. */
export function xtrimCommand(key: string, evictionOption: EvictionOption): Command<number> {
  return { key, args: ['XTRIM', key, ...evictionArgs(evictionOption)], decode: readInteger };
}
