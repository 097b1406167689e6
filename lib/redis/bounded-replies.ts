import type { Reply } from './redis.ts';
import { decoderOf } from './reply-decoder.ts';
import { ReplyReader } from './reply-reader.ts';

/** How the next reply is read. */
export interface Bound {
  /** Most bytes that it may have. */
  maxBytes: number;
  /** Whether its strings are kept as bytes. */
  asBytes: boolean;
  /** Called when it is longer, instead of reading on: the connection has to end. */
  onTooLong: () => void;
}

/** Sends a command whose reply is read within a bound. */
export type SendBounded = (bound: Bound, send: () => Promise<unknown>) => Promise<unknown>;

/** What the client is given for a reply that was read here. */
const STAND_IN = Buffer.from('+OK\r\n');

/**
 * Reads large replies in place of the client, for connections that carry one command at a time. A portion of a stream is
 * asked for by a number of entries, and nothing in Redis bounds their size: without a bound, a thousand small entries
 * followed by large ones could be a gigabyte in memory before anyone sees it.
 */
export function boundReplies(client: Parameters<typeof decoderOf>[0]): SendBounded {
  const decoder = decoderOf(client);
  const write = decoder.write.bind(decoder);
  let next: { bound: Bound; left: number; reader: ReplyReader; reply?: Reply } | undefined;
  decoder.write = (chunk) => {
    if (!next) return write(chunk);
    next.left -= chunk.length;
    if (next.left < 0) {
      const { onTooLong } = next.bound;
      next = undefined;
      return onTooLong();
    }
    if (!next.reader.push(chunk)) return;
    const complete = next;
    next = undefined;
    complete.reply = complete.reader.read(complete.bound.asBytes);
    write(complete.reply === undefined ? complete.reader.bytes() : STAND_IN);
  };
  return async (bound, send) => {
    const own: typeof next = { bound, left: bound.maxBytes, reader: new ReplyReader() };
    next = own;
    const reply = await send();
    return own.reply ?? reply;
  };
}
