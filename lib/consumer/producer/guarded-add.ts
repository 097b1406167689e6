import { createHash } from 'node:crypto';
import { refuse } from '../../contract/refusals.ts';
import { ConnectorError } from '../../core/errors.ts';
import type { Redis } from '../../redis/redis.ts';
import { readList } from '../../redis/reply-shapes.ts';
import { defineScript } from '../../redis/script.ts';
import { fieldArgs, type Fields } from '../../stream/entries.ts';
import { idempotencyKeyOf } from '../redis-keys.ts';
import guardedAdd from './guarded-add.lua';

/** What an enqueue asks of the server before it adds. */
export interface Guards {
  /** A repeated call with this key, within `idempotencyMs`, adds nothing and gets the first ids. */
  readonly idempotencyKey?: string;
  readonly idempotencyMs: number;
  /** Adds only while the group has at most this many unread entries. */
  readonly maxLag?: number;
  /** The group of that lag. */
  readonly group: string;
}

const guardedAddScript = defineScript(guardedAdd, (reply) => readList(reply).map(String));

/** How long a caller waits that was told to wait for the consumer, in milliseconds. */
const RETRY_AFTER_MS = 5000;

/** Whether adding needs the script; a plain XADD is faster. */
export const isGuarded = ({ idempotencyKey, maxLag }: Guards): boolean =>
  idempotencyKey !== undefined || maxLag !== undefined;

/**
 * Adds entries to a stream, all or none, if nothing guards against it.
 *
 * @returns the ids, of the first call with this key if there was one
 * @throws {ConnectorError} `STREAM:COMMAND` 429 while the consumer is too far behind; `MDM:CLIENT_ERROR` if the key was
 *   used with other entries
 */
export async function addGuarded(
  redis: Redis,
  stream: string,
  entries: readonly Fields[],
  guards: Guards,
): Promise<string[]> {
  const { idempotencyKey, idempotencyMs, maxLag, group } = guards;
  const words = entries.map((fields) => fieldArgs(fields).map(String));
  const remembered = idempotencyKeyOf(stream, hashOf(idempotencyKey ?? ''));
  const args = [
    idempotencyKey === undefined ? 0 : idempotencyMs,
    hashOf(JSON.stringify(entries.map(withoutTrace))),
    maxLag ?? '',
    group,
    ...words.flatMap((entry) => [entry.length, ...entry]),
  ];
  const [result, ...values] = await redis.send(guardedAddScript([stream, remembered], args));
  if (result === 'lag') throw consumerBehind(values[0]!, maxLag!);
  if (result === 'other') {
    throw refuse('mdm', [{ pointer: '/idempotencyKey', message: 'was used for other records a short time ago' }]);
  }
  return values;
}

/** The trace differs from call to call. */
function withoutTrace(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !name.startsWith('_')));
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32);

function consumerBehind(lag: string, maxLag: number): ConnectorError {
  const detail = `The consumer is behind: ${lag} entries of this shard are unread, and ingest.maxLag is ${maxLag}`;
  return new ConnectorError('STREAM:COMMAND', detail, { status: 429, retryAfterMs: RETRY_AFTER_MS });
}
