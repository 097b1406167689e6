import type { Command, Reply } from '../../redis/redis.ts';
import { decodeInfo, type Info } from '../decode-info.ts';

/** What Redis reports of a consumer group. `entries-read` and `lag` are null where it does not know. */
export type GroupInfo = Info;

/** The consumer groups of a stream. */
export function xinfoGroupsCommand(key: string): Command<GroupInfo[]> {
  const args = ['XINFO', 'GROUPS', key];
  return { key, args, asBytes: true, decode: (reply) => (reply as Reply[][]).map(decodeInfo) };
}
