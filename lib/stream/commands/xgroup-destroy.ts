import type { Command } from '../../redis/redis.ts';
import { readBoolean } from '../../redis/reply-shapes.ts';

/** Destroys a consumer group and its pending entries list; returns whether it existed. */
export function xgroupDestroyCommand(key: string, group: string): Command<boolean> {
  return { key, args: ['XGROUP', 'DESTROY', key, group], decode: readBoolean };
}
