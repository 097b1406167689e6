import type { GroupInfo } from '../../contract/parameters/stream-info.ts';
import type { Command } from '../../redis/redis.ts';
import { readList } from '../../redis/reply-shapes.ts';
import { decodeInfo } from '../decode-info.ts';

/** The consumer groups of a stream. */
export function xinfoGroupsCommand(key: string): Command<GroupInfo[]> {
  const args = ['XINFO', 'GROUPS', key];
  return { key, args, asBytes: true, decode: (reply) => readList(reply).map((info) => decodeInfo(readList(info))) };
}
