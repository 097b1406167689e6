import type { Command } from '../../redis/redis.ts';
import { readInteger } from '../../redis/reply-shapes.ts';

/** The number of entries of a stream; 0 if it is missing. */
export function xlenCommand(key: string): Command<number> {
  return { key, args: ['XLEN', key], decode: readInteger };
}
