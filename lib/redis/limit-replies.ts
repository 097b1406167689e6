/** The part of a client that takes its replies apart. */
interface Decoding {
  _getQueue(): { decoder: { write(chunk: Buffer): void } };
}

/** Allows the next reply so many bytes; a longer one is no longer read, and `onTooLong` ends the connection. */
export type LimitReply = (maxBytes: number, onTooLong: () => void) => void;

/**
 * Counts what a client receives, for connections that carry one command at a time. A portion of a stream is asked for
 * by a number of entries, and nothing in Redis bounds their size: without this, a thousand small entries followed by
 * large ones could be a gigabyte in memory before anyone sees it.
 */
export function limitReplies(client: Decoding): LimitReply {
  const { decoder } = client._getQueue();
  const write = decoder.write.bind(decoder);
  let left = Infinity;
  let tooLong = () => {};
  decoder.write = (chunk) => {
    left -= chunk.length;
    if (left >= 0) return write(chunk);
    left = Infinity;
    tooLong();
  };
  return (maxBytes, onTooLong) => {
    left = maxBytes;
    tooLong = onTooLong;
  };
}
