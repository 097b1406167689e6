import type { Command } from '../../redis/redis.ts';
import { decodeStreams, type Streams } from '../entries.ts';
import { readOptions, streamArgs, type XreadParameters } from './xread.ts';

export interface XreadgroupParameters extends XreadParameters {
  group: string;
  consumer: string;
  noack?: boolean;
}

/** Entries for a consumer of a group: new ones (`>`), or what is pending for it after an id. */
export function xreadgroupCommand(parameters: XreadgroupParameters): Command<Streams> {
  const { group, consumer, noack, watermarks, ...options } = parameters;
  const args = ['GROUP', group, consumer, ...readOptions(options), ...(noack ? ['NOACK'] : [])];
  return {
    key: watermarks[0]!.key,
    blockMs: options.blockMs,
    args: ['XREADGROUP', ...args, ...streamArgs(watermarks)],
    decode: decodeStreams,
  };
}
