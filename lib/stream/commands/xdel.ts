import type { Command } from '../../redis/redis.ts';
import { readInteger } from '../../redis/reply-shapes.ts';

/** Deletes entries; answers how many there were. */
export function xdelCommand(key: string, ids: readonly string[]): Command<number> {
  return { key, args: ['XDEL', key, ...ids], decode: readInteger };
}
