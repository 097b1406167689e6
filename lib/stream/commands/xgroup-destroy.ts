import type { Command } from '../../redis/redis.ts';

/** Destroys a consumer group, with its pending entries list; answers whether it existed. */
export function xgroupDestroyCommand(key: string, group: string): Command<boolean> {
  return { key, args: ['XGROUP', 'DESTROY', key, group], decode: (reply) => reply === '1' };
}
