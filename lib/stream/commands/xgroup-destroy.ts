import type { Command } from '../../redis/redis.ts';
import { readBoolean } from '../../redis/reply-shapes.ts';

/** Destroys a consumer group, with its pending entries list; answers whether it existed. */
export function xgroupDestroyCommand(key: string, group: string): Command<boolean> {
  return { key, args: ['XGROUP', 'DESTROY', key, group], decode: readBoolean };
}
