import type { Command } from '../../redis/redis.ts';
import { readInteger } from '../../redis/reply-shapes.ts';

/** Acknowledges entries; returns how many were pending. */
export function xackCommand(key: string, group: string, ids: readonly string[]): Command<number> {
  return { key, args: ['XACK', key, group, ...ids], decode: readInteger };
}
