import { createClient, ErrorReply, RESP_TYPES } from 'redis';
import { ConnectorError } from '../core/errors.ts';
import { boundReplies, type Bound, type SendBounded } from './bounded-replies.ts';
import { commandOptions, type ServerOptions } from './options.ts';
import type { Command } from './redis.ts';
import { unknownReply } from './reply-shapes.ts';
import { decodeReplies, textOrBytes } from './reply-decoder.ts';
import { explain, type Peer } from './unreached.ts';

/** A command to send. */
export type Sendable = Pick<Command<unknown>, 'key' | 'args' | 'asBytes' | 'maxReplyBytes' | 'transaction' | 'script'>;

/** A connected client of the library, for any kind of Redis. */
export interface Transport {
  /** @param onReplyTooLong called for a reply over `maxReplyBytes`, instead of reading on */
  send(command: Sendable, onReplyTooLong?: () => void): Promise<unknown>;
  /** Of several servers, the one that has a key. */
  peerOf?(key: string): Peer | undefined;
  /** Of several servers, ends the connection to the one that has a key; commands in flight to it fail. */
  destroyNode?(key: string): void;
  /** Ends it at once; commands in flight fail. */
  destroy(): void;
}

const textsAs = <T>(type: T) => ({
  ...commandOptions,
  typeMapping: { ...commandOptions.typeMapping, [RESP_TYPES.BLOB_STRING]: type },
});
const BYTES = textsAs(Buffer);
const TEXT_OR_BYTES = textsAs(textOrBytes);

/** The library's options for a command. */
export const sendOptionsOf = ({ asBytes }: Sendable) =>
  asBytes === 'not-utf8' ? TEXT_OR_BYTES : asBytes ? BYTES : undefined;

/** The limit of a reply, if it has one. */
export const boundOf = ({ maxReplyBytes, asBytes }: Sendable, onTooLong: () => void = () => {}): Bound => ({
  maxBytes: maxReplyBytes!,
  asBytes: asBytes === true,
  onTooLong,
});

/** Runs commands in one MULTI. If one fails, the whole MULTI counts as failed. */
export async function runAll(
  multi: { addCommand(args: string[]): unknown; exec(): Promise<unknown> },
  commands: NonNullable<Sendable['transaction']>,
): Promise<unknown> {
  for (const args of commands) multi.addCommand(args as string[]);
  try {
    return await multi.exec();
  } catch (error) {
    throw error instanceof TypeError ? unknownReply(error) : error; // the client decodes the replies without checks
  }
}

/** Connecting to a server, or to one after another. */
export interface Connecting {
  /** Called when the connection ends by itself. */
  readonly onEnd: () => void;
  /** Aborts the attempt: its time is over. */
  readonly signal: AbortSignal;
  /** The connection that is being made. */
  peer?: Peer;
}

/**
 * Connects to one server.
 *
 * @throws {ConnectorError} `STREAM:COMMAND` 503 or 504 with the cause, if it cannot be reached; Redis' own errors
 */
export async function connectServer(options: ServerOptions, connecting: Connecting): Promise<Transport> {
  const { signal, onEnd } = connecting;
  const peer = peerOf(options);
  connecting.peer = peer;
  const client = createClient(options);
  client.on('error', () => {}); // a failed connect also rejects
  client.on('connect', () => (peer.isOpen = true));
  await connectUnless(signal, client).catch(async (error: unknown) => {
    if (error instanceof ErrorReply || error instanceof ConnectorError) throw error;
    throw await explain(signal.aborted ? undefined : error, peer, 'not-sent');
  });
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

/** The server that a client connects to, not reached yet. */
export function peerOf({ socket }: ServerOptions): Peer {
  const { host, port = DEFAULT_PORT, tls, servername } = socket as SocketOptions;
  return { host, port, isTls: tls === true, servername, isOpen: false };
}

interface SocketOptions {
  host: string;
  port?: number;
  tls?: boolean;
  servername?: string;
}

const DEFAULT_PORT = 6379;

/**
 * Connects, unless the signal is aborted first. The client's connect timeout covers only TCP and TLS, not the login. An
 * attempt that was destroyed during the TCP connect may still succeed, so it is destroyed again.
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
    givenUp.reject(new Error('Not connected in time'));
  };
  signal.addEventListener('abort', giveUp);
  try {
    await Promise.race([connected, givenUp.promise]);
  } finally {
    signal.removeEventListener('abort', giveUp);
  }
}
