import type { Command } from '../../redis/redis.ts';
import { readInteger, readList, readText } from '../../redis/reply-shapes.ts';
import { readEntries, type RawEntry } from '../entries.ts';
import { MAX_ENTRY_BYTES } from '../read-range.ts';
import groupRead from './group-read.lua';
import { decodeStop, type Stop } from './measure.ts';

/** One stream of a group read. */
export interface GroupWatermark {
  key: string;
  id: string;
  /** Maximum entries; -1 for no limit. */
  most: number;
  /** Start of the pending entries to claim from; empty to claim none. */
  claimFrom: string;
}

export interface GroupRead {
  watermarks: readonly GroupWatermark[];
  group: string;
  consumer: string;
  noack?: boolean;
  claimMinIdleMs?: number | string;
  /** Whether to check all streams before the first is read. */
  isFirst: boolean;
  /** Maximum pending entries to look at to find some to claim. */
  scan: number;
  /** From `measureArgs`. */
  measure: readonly string[];
  /** Whether texts stay bytes. Default: UTF-8 is read as text. */
  asBytes?: boolean;
}

export interface GroupReadResult {
  /** One element per visited stream. */
  streams: {
    entries: RawEntry[];
    /** The id before the new entries, if it was requested. */
    after: string | undefined;
    claimFrom: string;
    scanned: number;
  }[];
  /** Number of streams with nothing more for this read. */
  done: number;
  stop: Stop | undefined;
}

/** Measures and reads streams of one slot atomically, as much as one script may look at. */
export function groupReadScript(read: GroupRead): Command<GroupReadResult> {
  const { watermarks, group, consumer, noack, claimMinIdleMs = '', isFirst, scan, measure } = read;
  const keys = watermarks.map(({ key }) => key);
  const options = [group, consumer, noack ? 'NOACK' : '', String(claimMinIdleMs), isFirst ? 'CHECK' : '', String(scan)];
  const places = watermarks.flatMap(({ id, most, claimFrom }) => [id, String(most), claimFrom]);
  return {
    key: keys[0]!,
    asBytes: read.asBytes,
    maxReplyBytes: MAX_ENTRY_BYTES.gzip,
    needs: claimMinIdleMs === '' ? undefined : { since: 'Redis 8.4', command: 'XREADGROUP', option: 'CLAIM' },
    script: groupRead,
    args: ['EVAL', groupRead.source, String(keys.length), ...keys, ...measure, ...options, ...places],
    decode(reply) {
      const [streams, done, stop] = readList(reply);
      return {
        streams: readList(streams).map((stream) => {
          const [entries, after, claimFrom, scanned] = readList(stream);
          return {
            entries: readEntries(entries),
            after: after === null ? undefined : readText(after),
            claimFrom: readText(claimFrom),
            scanned: readInteger(scanned),
          };
        }),
        done: readInteger(done),
        stop: decodeStop(stop),
      };
    },
  };
}
