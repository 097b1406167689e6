import { fieldsOf } from '../entry.ts';
import type { Failure } from '../targets/failure.ts';
import type { Target } from '../targets/target.ts';
import type { Kind, KeyOrder } from '../window/key-order.ts';
import { isFailing, isLoaded, type LoadedEntry, type PendingEntry } from '../window/pending-entry.ts';

/**
 * Maximum JSON of the entries of a batch, in bytes: half of the 6 MB that Lambda takes, because a call holds copies of
 * its payload.
 */
export const MAX_BATCH_BYTES = 3_000_000;
/** Bytes of the rest of an entry's JSON: its id, its deliveries, and their names. */
const ENVELOPE_BYTES = 100;

/** The failure of an entry in `batchItemFailures`. */
export const REPORTED: Failure = {
  kind: 'own',
  type: 'LAMBDA:BATCH_ITEM',
  message: 'The function reported it as failed',
};

/** Entries for the same batch: the heads of other keys, or, if the shard is one key, those behind it. */
export function batchFrom(
  keys: KeyOrder,
  kind: Kind,
  head: LoadedEntry,
  { keyFields, batch }: Target,
): [LoadedEntry, ...LoadedEntry[]] {
  const entries: [LoadedEntry, ...LoadedEntry[]] = [head];
  if (!isBatchable(head)) return entries;
  let bytes = jsonBytesOf(head);
  const fits = (pending: PendingEntry | undefined): pending is LoadedEntry => {
    if (!pending || entries.length >= batch!.size) return false;
    if (!isBatchable(pending)) return false;
    const added = jsonBytesOf(pending);
    if (bytes + added > MAX_BATCH_BYTES) return false;
    bytes += added;
    return true;
  };
  if (keyFields.length === 0) {
    for (let { next } = head; fits(next); next = next.next) entries.push(next);
  } else {
    for (let { first } = keys.ready[kind]; fits(first); { first } = keys.ready[kind]) {
      keys.take(first);
      entries.push(first);
    }
  }
  return entries;
}

const jsonBytesOf = ({ body }: LoadedEntry): number =>
  Buffer.byteLength(JSON.stringify(fieldsOf(body))) + ENVELOPE_BYTES;

const isBatchable = (pending: PendingEntry): pending is LoadedEntry => {
  return isLoaded(pending) && pending.dueAt === 0 && !isFailing(pending) && !pending.body.hasBytes;
};

/**
 * The result of a batch. If the shard is one key, all before the first failure succeeded, and the batch resumes there.
 */
export function splitBatch(
  entries: readonly PendingEntry[],
  failedIds: ReadonlySet<string>,
): { processed: readonly PendingEntry[]; failed: readonly PendingEntry[] } {
  const isProcessed = ({ id }: PendingEntry) => !failedIds.has(id);
  const failed = entries.filter((pending) => !isProcessed(pending));
  if (failed.length === 0 || headsOf(entries).length > 1) return { processed: entries.filter(isProcessed), failed };
  return { processed: entries.slice(0, entries.indexOf(failed[0]!)), failed: [failed[0]!] };
}

/** The first entry of each key. */
export function headsOf(entries: readonly PendingEntry[]): readonly PendingEntry[] {
  if (entries.length < 2 || entries[0]!.keyQueue !== entries[1]!.keyQueue) return entries;
  return [entries[0]!];
}
