import { exactInteger, type ExactNumber } from '../../core/json.ts';
import type { Command, Reply } from '../../redis/redis.ts';

/** What Redis tells of a consumer group. `entries-read` and `lag` are null where Redis cannot tell. */
export type GroupInfo = Record<string, string | number | ExactNumber | null>;

const INTEGERS = new Set(['consumers', 'pending', 'entries-read', 'lag']);

/** The consumer groups of a stream. */
export function xinfoGroupsCommand(key: string): Command<GroupInfo[]> {
  return { key, args: ['XINFO', 'GROUPS', key], decode: (reply) => (reply as Reply[][]).map(decodeGroup) };
}

function decodeGroup(pairs: readonly Reply[]): GroupInfo {
  const group: GroupInfo = {};
  for (let at = 0; at < pairs.length; at += 2) {
    const name = pairs[at] as string;
    const value = pairs[at + 1] as string | null;
    group[name] = value !== null && INTEGERS.has(name) ? exactInteger(value) : value;
  }
  return group;
}
