import type { Command } from '../../redis/redis.ts';
import { readInteger } from '../../redis/reply-shapes.ts';

/** How many entries a stream holds; 0 where there is none. */
export function xlenCommand(key: string): Command<number> {
  return { key, args: ['XLEN', key], decode: readInteger };
}
