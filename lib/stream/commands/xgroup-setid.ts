import type { Command } from '../../redis/redis.ts';
import { readOk } from '../../redis/reply-shapes.ts';

export interface XgroupSetidParameters {
  key: string;
  group: string;
  lastEntryId: string;
  entriesRead?: number | string;
}

/** Sets the last entry that a group has seen. */
export function xgroupSetidCommand({ key, group, lastEntryId, entriesRead }: XgroupSetidParameters): Command<null> {
  const read = entriesRead === undefined ? [] : ['ENTRIESREAD', String(entriesRead)];
  return { key, args: ['XGROUP', 'SETID', key, group, lastEntryId, ...read], decode: readOk };
}
