import { ConnectorError } from '../core/errors.ts';
import { isReplyTooLong } from '../redis/errors.ts';
import type { Command, Redis } from '../redis/redis.ts';
import { MAX_RESPONSE_BYTES, type Output } from '../invocation/output.ts';
import { xinfoGroupsCommand } from './commands/xinfo-groups.ts';

/** Maximum bytes of a list in its reply: decoded, it takes more than thirty times as much memory. */
const MAX_REPLY_BYTES = 6 * 1024 * 1024;
/** Shorter lists are left to the limit of responses. */
const MANY = 10_000;

/**
 * Reads a list that Redis returns as a whole, unless it fits into no response.
 *
 * @param tooMany describes what is too much, and what helps
 * @throws {ConnectorError} `STREAM:COMMAND` 413
 */
export async function readList<T extends object>(
  redis: Redis,
  command: Command<T>,
  output: Output,
  tooMany: () => Promise<string>,
): Promise<T> {
  try {
    const list = await redis.send({ ...command, maxReplyBytes: MAX_REPLY_BYTES });
    if (!isTooLarge(list, output)) return list;
  } catch (error) {
    if (!isReplyTooLong(error)) throw error;
  }
  throw new ConnectorError('STREAM:COMMAND', `The response is over 6 MB: ${await tooMany()}`, { status: 413 });
}

function isTooLarge(list: object, { travel }: Output): boolean {
  const items = Array.isArray(list) ? list : Object.values(list).flat(1);
  if (items.length < MANY || travel === 'gzip') return false;
  const json = JSON.stringify(list);
  return Buffer.byteLength(travel === 'text' ? JSON.stringify(json) : json) > MAX_RESPONSE_BYTES;
}

/** How many consumers a group has, if the user may ask, and what removes them. */
export async function manyConsumers(redis: Redis, key: string, group: string): Promise<string> {
  const advice = 'stream-xgroup-delconsumer deletes those that are no longer used';
  try {
    const found = (await redis.send(xinfoGroupsCommand(key))).find(({ name }) => name === group);
    return `the group has ${JSON.stringify(found!.consumers)} consumers; ${advice}`;
  } catch {
    return `the group has too many consumers; ${advice}`;
  }
}
