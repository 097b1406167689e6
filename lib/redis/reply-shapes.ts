import { ConnectorError } from '../core/errors.ts';
import type { Command, Reply } from './redis.ts';

/* A server that is not Redis may send replies that Redis never does. They are neither results nor bugs. */

/** The error for a reply that no version of Redis sends. */
export function unknownReply(cause?: unknown): ConnectorError {
  const message = 'The reply of Redis has an unknown form';
  return new ConnectorError('STREAM:COMMAND', message, { status: 502, outcome: 'unknown', cause });
}

/**
 * Turns a reply into the result of its command.
 *
 * @throws {ConnectorError} `STREAM:COMMAND` 502 for a reply of an unknown form
 */
export function decodeReply<T>(command: Command<T>, reply: Reply): T {
  try {
    return command.decode(reply);
  } catch (error) {
    throw error instanceof ConnectorError ? error : unknownReply(error);
  }
}

/** A list; with `orNil`, nil counts as empty. */
export function readList(reply: Reply | undefined, { orNil = false } = {}): Reply[] {
  if (Array.isArray(reply)) return reply;
  if (reply === null && orNil) return [];
  throw unknownReply();
}

/** An integer as text. */
export function readDigits(reply: Reply | undefined): string {
  if (typeof reply === 'string' && /^-?\d+$/.test(reply)) return reply;
  throw unknownReply();
}

/** An integer below 2^53. */
export const readInteger = (reply: Reply | undefined): number => Number(readDigits(reply));

/** 1 or 0. */
export function readBoolean(reply: Reply): boolean {
  if (reply === '1' || reply === '0') return reply === '1';
  throw unknownReply();
}

/** The id of an entry. */
export function readId(reply: Reply | undefined): string {
  const id = String(reply);
  if (!Array.isArray(reply) && /^\d+-\d+$/.test(id)) return id;
  throw unknownReply();
}

export const readIdOrNil = (reply: Reply | undefined): string | null => (reply === null ? null : readId(reply));

/** `OK`. */
export function readOk(reply: Reply): null {
  if (reply === 'OK') return null;
  throw unknownReply();
}

/** Text; bytes are decoded. */
export function readText(reply: Reply | undefined): string {
  if (typeof reply === 'string' || reply instanceof Buffer) return String(reply);
  throw unknownReply();
}
