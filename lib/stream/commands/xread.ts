import type { Command } from '../../redis/redis.ts';
import { decodeStreams, type Streams } from '../entries.ts';

export interface Watermark {
  key: string;
  id: string;
}

export interface XreadParameters {
  /** Streams of one slot. */
  watermarks: readonly Watermark[];
  count?: number | string;
  /** Milliseconds, at least 1. */
  blockMs?: number;
}

/** Entries after each stream's watermark. A count of 0 or less is no limit. */
export function xreadCommand({ watermarks, ...options }: XreadParameters): Command<Streams> {
  return {
    key: watermarks[0]!.key,
    blockMs: options.blockMs,
    args: ['XREAD', ...readOptions(options), ...streamArgs(watermarks)],
    decode: decodeStreams,
  };
}

/** The options that XREAD and XREADGROUP share. */
export function readOptions({ count, blockMs }: Omit<XreadParameters, 'watermarks'>): string[] {
  return [
    ...(count === undefined ? [] : ['COUNT', String(count)]),
    ...(blockMs === undefined ? [] : ['BLOCK', String(blockMs)]),
  ];
}

/** Keys first, then their ids: nothing that follows can be taken for an option. */
export function streamArgs(watermarks: readonly Watermark[]): string[] {
  return ['STREAMS', ...watermarks.map(({ key }) => key), ...watermarks.map(({ id }) => id)];
}
