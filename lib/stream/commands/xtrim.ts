import type { EvictionOption } from '../../contract/parameters/stream.ts';
import type { Command } from '../../redis/redis.ts';
import { readInteger } from '../../redis/reply-shapes.ts';
import { evictionArgs, referenceArgs, referenceNeeds, type References } from '../eviction.ts';

/** Trims a stream, choosing what happens to group references; returns how many entries it removed. */
export function xtrimCommand(key: string, evictionOption: EvictionOption, references?: References): Command<number> {
  return {
    key,
    needs: referenceNeeds('XTRIM', references),
    args: ['XTRIM', key, ...evictionArgs(evictionOption), ...referenceArgs(references)],
    decode: readInteger,
  };
}
