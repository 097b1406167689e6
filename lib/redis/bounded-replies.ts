import type { Reply } from './redis.ts';
import { decoderOf } from './reply-decoder.ts';
import { ReplyReader } from './reply-reader.ts';

/** How to read the next reply. */
export interface Bound {
  /** Maximum bytes of the reply. */
  maxBytes: number;
  /** Whether strings stay bytes. */
  asBytes: boolean;
  /** Called for a longer reply, instead of reading on: the connection must end. */
  onTooLong: () => void;
}

/** Sends a command with a limit on its reply. */
export type SendBounded = (bound: Bound, send: () => Promise<unknown>) => Promise<unknown>;

/** The reply that the client receives instead. */
const STAND_IN = Buffer.from('+OK\r\n');

/**
 * Reads large replies instead of the client, for connections that carry one command at a time. A portion of a stream
 * has a number of entries, and Redis does not limit their size: without a limit here, a portion could fill a gigabyte
 * of memory.
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
    const awaited: typeof next = { bound, left: bound.maxBytes, reader: new ReplyReader() };
    next = awaited;
    const reply = await send();
    return awaited.reply ?? reply;
  };
}
