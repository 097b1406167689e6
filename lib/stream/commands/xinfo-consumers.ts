import type { Command, Reply } from '../../redis/redis.ts';
import { decodeInfo, type Info } from '../decode-info.ts';

/** The consumers of a group. */
export function xinfoConsumersCommand(key: string, group: string): Command<Info[]> {
  const args = ['XINFO', 'CONSUMERS', key, group];
  return { key, args, asBytes: true, decode: (reply) => (reply as Reply[][]).map(decodeInfo) };
}
