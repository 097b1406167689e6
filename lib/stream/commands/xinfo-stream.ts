import type { StreamInfo } from '../../contract/parameters/stream-info.ts';
import type { Command, Reply } from '../../redis/redis.ts';
import { decodeInfo } from '../decode-info.ts';
import type { EntryOptions, RawEntry } from '../entries.ts';
import { EntryDecoder } from '../entry-decoder.ts';
import { MAX_ENTRY_BYTES } from '../read-range.ts';

/** Length, ids and groups of a stream. */
export function xinfoStreamCommand(key: string, options: EntryOptions): Command<StreamInfo> {
  return {
    key,
    args: ['XINFO', 'STREAM', key],
    asBytes: true,
    maxReplyBytes: 2 * MAX_ENTRY_BYTES,
    decode(reply) {
      const info: StreamInfo = {};
      const pairs = reply as Reply[];
      const decoder = new EntryDecoder(options);
      for (let at = 0; at < pairs.length; at += 2) {
        const [name, value] = [String(pairs[at]), pairs[at + 1]!];
        const isEntry = Array.isArray(value) && value.length === 2;
        Object.assign(info, isEntry ? { [name]: decoder.entry(value as RawEntry) } : decodeInfo([name, value]));
      }
      return info;
    },
  };
}
