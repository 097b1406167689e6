import { ConnectorError } from '../core/errors.ts';
import type { Command, Redis } from '../redis/redis.ts';
import type { Output } from '../invocation/output.ts';
import { readEntries, type EntryOptions, type RawEntry } from './entries.ts';
import { EntryDecoder } from './entry-decoder.ts';
import { MAX_ENTRY_BYTES, MAX_ENTRY_TEXT } from './read-range.ts';

/** Whether an entry fits into a response of its own. With gzip, only compressing it shows that. */
export async function fitsAlone(
  redis: Redis,
  entry: { key: string; id: string; size: number },
  { output, ...options }: EntryOptions & { output: Output },
): Promise<boolean> {
  if (output.travel !== 'gzip' || entry.size > MAX_ENTRY_TEXT) return false;
  const found = (await redis.send(entryCommand(entry.key, entry.id)))[0];
  return found !== undefined && output.fits(JSON.stringify(new EntryDecoder(options).entry(found)));
}

function entryCommand(key: string, id: string): Command<RawEntry[]> {
  return {
    key,
    args: ['XRANGE', key, id, id],
    asBytes: true,
    maxReplyBytes: MAX_ENTRY_BYTES.gzip,
    decode: readEntries,
  };
}

/** The error for an entry that fits into no response. The entry stays where it is. */
export function oversized(id: string): ConnectorError {
  const message =
    `Entry ${id} is too large: a response is at most 6 MB. It stays undelivered until stream-xdel deletes it or ` +
    'stream-xgroup-setid skips it';
  return new ConnectorError('STREAM:COMMAND', message, { status: 413 });
}
