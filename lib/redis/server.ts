import { createClient, RESP_TYPES } from 'redis';
import { boundReplies, type Bound, type SendBounded } from './bounded-replies.ts';
import { commandOptions, type ServerOptions } from './options.ts';
import type { Command } from './redis.ts';
import { unknownReply } from './reply-shapes.ts';
import { decodeReplies } from './reply-decoder.ts';

/** What sending a command takes. */
export type Sendable = Pick<Command<unknown>, 'key' | 'args' | 'asBytes' | 'maxReplyBytes' | 'transaction' | 'script'>;

/** A client of the library that is connected, whatever kind of Redis it talks to. */
export interface Transport {
  /** @param onReplyTooLong called when the reply is longer than `maxReplyBytes`, instead of reading on */
  send(command: Sendable, onReplyTooLong?: () => void): Promise<unknown>;
  /** Ends it at once; commands under way fail. */
  destroy(): void;
}

/** Texts of the reply as bytes. */
const BYTES = { ...commandOptions, typeMapping: { ...commandOptions.typeMapping, [RESP_TYPES.BLOB_STRING]: Buffer } };

/** What the library takes beside the words of a command. */
export const sendOptionsOf = ({ asBytes }: Sendable) => (asBytes ? BYTES : undefined);

/** The bound of a reply that has one. */
export const boundOf = ({ maxReplyBytes, asBytes }: Sendable, onTooLong: () => void = () => {}): Bound => ({
  maxBytes: maxReplyBytes!,
  asBytes: asBytes ?? false,
  onTooLong,
});

/** Runs commands in one MULTI. Where one fails, so do all in the connector's eyes. */
export async function runAll(
  multi: { addCommand(args: string[]): unknown; exec(): Promise<unknown> },
  commands: NonNullable<Sendable['transaction']>,
): Promise<unknown> {
  for (const args of commands) multi.addCommand(args as string[]);
  try {
    return await multi.exec();
  } catch (error) {
    throw error instanceof TypeError ? unknownReply(error) : error; // the client takes the replies apart unseen
  }
}

/**
 * Connects to one server.
 *
 * @param onEnd called when the connection ended by itself
 * @param signal gives the attempt up
 */
export async function connectServer(
  options: ServerOptions,
  onEnd: () => void,
  signal: AbortSignal,
): Promise<Transport> {
  const client = createClient(options);
  client.on('error', () => {}); // a failed connect rejects as well
  await connectUnless(signal, client);
  client.on('error', onEnd);
  decodeReplies(client);
  let sendBounded: SendBounded | undefined;
  return {
    send(command, onReplyTooLong) {
      if (command.transaction) return runAll(client.multi(), command.transaction);
      if (!command.maxReplyBytes) return client.sendCommand(command.args, sendOptionsOf(command));
      sendBounded ??= boundReplies(client);
      return sendBounded(boundOf(command, onReplyTooLong), () =>
        client.sendCommand(command.args, sendOptionsOf(command)),
      );
    },
    destroy: () => client.destroy(),
  };
}

/**
 * Connects, unless the signal comes first. The client's own connect timeout covers TCP and TLS alone, not the login;
 * and an attempt that was destroyed while TCP connects may still succeed, so it is destroyed again.
 */
export async function connectUnless(
  signal: AbortSignal,
  client: { connect(): Promise<unknown>; destroy(): void },
): Promise<void> {
  const connected = client.connect();
  const givenUp = Promise.withResolvers<never>();
  const giveUp = () => {
    client.destroy();
    connected.then(() => client.destroy()).catch(() => {});
    givenUp.reject(signal.reason as Error);
  };
  signal.addEventListener('abort', giveUp);
  try {
    await Promise.race([connected, givenUp.promise]);
  } finally {
    signal.removeEventListener('abort', giveUp);
  }
}
