import type { StreamInfo } from '../../contract/parameters/stream-info.ts';
import type { Command } from '../../redis/redis.ts';
import { readList, readText, unknownReply } from '../../redis/reply-shapes.ts';
import { decodeInfo } from '../decode-info.ts';
import { readEntry, type EntryOptions } from '../entries.ts';
import { EntryDecoder } from '../entry-decoder.ts';

/** Length, ids and groups of a stream. */
export function xinfoStreamCommand(key: string, options: EntryOptions): Command<StreamInfo> {
  return {
    key,
    args: ['XINFO', 'STREAM', key],
    asBytes: true,
    decode(reply) {
      const info: StreamInfo = {};
      const pairs = readList(reply);
      const decoder = new EntryDecoder(options);
      for (let at = 0; at < pairs.length; at += 2) {
        const [name, value] = [readText(pairs[at]), pairs[at + 1]!];
        const isEntry = Array.isArray(value) && value.length === 2;
        Object.assign(info, isEntry ? { [name]: decoder.entry(readEntry(value)) } : decodeInfo([name, value]));
      }
      if (info.length === undefined) throw unknownReply();
      return info;
    },
  };
}
