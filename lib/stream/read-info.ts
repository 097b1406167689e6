import type { StreamInfo } from '../contract/parameters/stream-info.ts';
import { ConnectorError } from '../core/errors.ts';
import { isReplyTooLong } from '../redis/errors.ts';
import type { Redis } from '../redis/redis.ts';
import { readId, readInteger, readList } from '../redis/reply-shapes.ts';
import { defineScript } from '../redis/script.ts';
import type { Output } from '../invocation/output.ts';
import { xinfoStreamCommand } from './commands/xinfo-stream.ts';
import type { EntryOptions } from './entries.ts';
import { MAX_ENTRY_BYTES } from './read-range.ts';
import endOfStream from './scripts/end-of-stream.lua';

/**
 * Describes a stream, with its first and its last entry.
 *
 * @throws {ConnectorError} `STREAM:COMMAND` 413 if they do not fit into a response.
 */
export async function readInfo(
  redis: Redis,
  key: string,
  options: EntryOptions,
  { travel }: Output,
): Promise<StreamInfo> {
  try {
    return await redis.send({ ...xinfoStreamCommand(key, options), maxReplyBytes: MAX_ENTRY_BYTES[travel] });
  } catch (error) {
    if (!isReplyTooLong(error)) throw error;
  }
  const subject = await largerEnd(redis, key);
  const message = `${subject} is too large: a response is at most 6 MB. stream-xdel deletes it`;
  throw new ConnectorError('STREAM:COMMAND', message, { status: 413 });
}

/** Names the larger of the first and the last entry by its id, if the user may read that. */
async function largerEnd(redis: Redis, key: string): Promise<string> {
  try {
    const first = await redis.send(endScript([key], ['XRANGE', '-', '+']));
    const last = await redis.send(endScript([key], ['XREVRANGE', '+', '-']));
    return `Entry ${first.bytes > last.bytes ? first.id : last.id}`;
  } catch {
    return 'The first or the last entry';
  }
}

const endScript = defineScript(
  endOfStream,
  (reply) => {
    const [id, bytes] = readList(reply);
    return { id: readId(id), bytes: readInteger(bytes) };
  },
  'EVAL_RO',
);
