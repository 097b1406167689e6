import type { Command } from '../../redis/redis.ts';
import { readInteger } from '../../redis/reply-shapes.ts';

/** Deletes entries; returns how many existed. */
export function xdelCommand(key: string, ids: readonly string[]): Command<number> {
  return { key, args: ['XDEL', key, ...ids], decode: readInteger };
}
