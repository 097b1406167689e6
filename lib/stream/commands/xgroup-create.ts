import type { Command } from '../../redis/redis.ts';
import { readOk } from '../../redis/reply-shapes.ts';

export interface XgroupCreateParameters {
  key: string;
  group: string;
  /** Default `$`. */
  lastEntryId?: string;
  mkstream: boolean;
  entriesRead?: number | string;
}

/** Creates a consumer group. */
export function xgroupCreateCommand(parameters: XgroupCreateParameters): Command<null> {
  const { key, group, lastEntryId = '$', mkstream, entriesRead } = parameters;
  const options = [
    ...(mkstream ? ['MKSTREAM'] : []),
    ...(entriesRead === undefined ? [] : ['ENTRIESREAD', String(entriesRead)]),
  ];
  return { key, args: ['XGROUP', 'CREATE', key, group, lastEntryId, ...options], decode: readOk };
}
