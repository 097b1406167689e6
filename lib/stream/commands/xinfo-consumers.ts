import type { Command } from '../../redis/redis.ts';
import { readList } from '../../redis/reply-shapes.ts';
import { decodeInfo, type Info } from '../decode-info.ts';

export function xinfoConsumersCommand(key: string, group: string): Command<Info[]> {
  const args = ['XINFO', 'CONSUMERS', key, group];
  return { key, args, asBytes: true, decode: (reply) => readList(reply).map((info) => decodeInfo(readList(info))) };
}
