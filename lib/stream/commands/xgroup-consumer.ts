import type { Command } from '../../redis/redis.ts';
import { readBoolean, readInteger } from '../../redis/reply-shapes.ts';

export interface GroupConsumer {
  key: string;
  group: string;
  consumer: string;
}

/** Creates a consumer; returns whether it is new. */
export function xgroupCreateconsumerCommand({ key, group, consumer }: GroupConsumer): Command<boolean> {
  return { key, args: ['XGROUP', 'CREATECONSUMER', key, group, consumer], decode: readBoolean };
}

/** Deletes a consumer and its pending entries; returns how many those were. */
export function xgroupDelconsumerCommand({ key, group, consumer }: GroupConsumer): Command<number> {
  return { key, args: ['XGROUP', 'DELCONSUMER', key, group, consumer], decode: readInteger };
}
