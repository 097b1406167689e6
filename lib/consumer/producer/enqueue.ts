import type Type from 'typebox';
import type { Enqueued } from '../../contract/parameters/source.ts';
import { ConnectorError } from '../../core/errors.ts';
import { refuseUnwritable } from '../../mdm/records/record.ts';
import type { Redis } from '../../redis/redis.ts';
import { xaddCommand } from '../../stream/commands/xadd.ts';
import { xaddBatchCommand } from '../../stream/commands/xadd-batch.ts';
import { addGuarded, isGuarded, type Guards } from './guarded-add.ts';
import type { Fields } from '../../stream/entries.ts';
import { encodeChange } from './source-change-entry.ts';
import type { SourceChange } from './source-change.schema.ts';

export interface ShardEntry {
  stream: string;
  fields: Fields;
}

/**
 * The fields of the entries of a batch.
 *
 * @throws {ConnectorError} `MDM:CLIENT_ERROR` with the faults of all records, at `/records/3/record`
 */
export function encodeBatch(changes: readonly SourceChange[]): Fields[] {
  refuseUnwritable(changes);
  return changes.map(encodeChange);
}

/**
 * Adds entries to their shards: all or none per shard, all shards at the same time.
 *
 * @returns the id of each entry, in order
 * @throws {ConnectorError} `STREAM:COMMAND` if a shard failed, with a fault at `/records/3` for every entry that may
 *   not have been written; status and code are those of the first failure
 */
export async function enqueueBatch(
  redis: Redis,
  entries: readonly ShardEntry[],
  guards: Guards,
): Promise<Type.Static<typeof Enqueued>[]> {
  const byShard = Map.groupBy(entries.keys(), (index) => entries[index]!.stream);
  const ids: (string | undefined)[] = [];
  const failures: unknown[] = [];
  const add = async ([stream, indexes]: [string, number[]]) => {
    const fields = indexes.map((index) => entries[index]!.fields);
    const added = await addEntries(redis, stream, fields, guards).catch((error: unknown) => void failures.push(error));
    for (const [position, index] of indexes.entries()) ids[index] = added?.[position];
  };
  await Promise.all(Array.from(byShard, add));
  if (failures.length > 0) throw partialFailure(failures, ids, byShard.size);
  return entries.map(({ stream }, index) => ({ stream, id: ids[index]! }));
}

/** Adds entries to one shard, all or none; returns their ids. */
export async function addEntries(
  redis: Redis,
  stream: string,
  entries: readonly Fields[],
  guards: Guards,
): Promise<string[]> {
  if (isGuarded(guards)) return addGuarded(redis, stream, entries, guards);
  const [entry] = entries;
  const ids =
    entries.length === 1
      ? [await redis.send(xaddCommand({ key: stream, entry: entry! }))]
      : await redis.send(xaddBatchCommand({ key: stream, entries }));
  return ids as string[]; // only NOMKSTREAM makes them null
}

function partialFailure(
  failures: readonly unknown[],
  ids: readonly (string | undefined)[],
  shards: number,
): ConnectorError {
  const [cause] = failures;
  if (!(cause instanceof ConnectorError)) throw cause;
  const faults = Array.from(ids.entries(), ([index, id]) =>
    id === undefined ? [{ pointer: `/records/${index}`, message: 'may not have been written' }] : [],
  ).flat();
  const { message, status, upstreamCode, temporary, retryAfterMs } = cause;
  const detail =
    `${failures.length} of ${shards} shards failed: ${message}; ${faults.length} of ${ids.length} records may not have been ` +
    'written: errors names them';
  const isNothingDone = failures.length === shards && failures.every(hasDoneNothing);
  const outcome = isNothingDone ? cause.outcome : 'unknown';
  // a shard that refuses an input is the caller's fault, as in an enqueue of one record
  return new ConnectorError(cause.type === 'MDM:CLIENT_ERROR' ? cause.type : 'STREAM:COMMAND', detail, {
    status,
    outcome,
    upstreamCode,
    temporary,
    retryAfterMs,
    faults,
    cause,
  });
}

function hasDoneNothing(failure: unknown): boolean {
  return failure instanceof ConnectorError && failure.outcome !== 'unknown';
}
