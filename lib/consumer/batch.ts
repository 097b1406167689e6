import { isDoubtful } from './entry.ts';
import { isFailing, type Item } from './item.ts';
import type { Kind, Lanes } from './lanes.ts';
import type { Failure } from './targets/failure.ts';
import type { Target } from './targets/target.ts';

/** A batch takes no more text than this: Lambda's payload ends at 6 MB, and JSON needs more than the text itself. */
const MAX_BATCH_BYTES = 3_000_000;

/** Entries that may go with this one: the heads of other keys, or, of a shard that is one key, those behind it. */
export function batchFrom(lanes: Lanes, kind: Kind, head: Item, { keyFields, batch }: Target): Item[] {
  const items = [head];
  if (!isBatchable(head)) return items;
  let bytes = head.bytes;
  const fits = (item: Item | undefined): item is Item => {
    if (!item || items.length >= batch!.size || bytes + item.bytes > MAX_BATCH_BYTES || !isBatchable(item))
      return false;
    bytes += item.bytes;
    return true;
  };
  if (keyFields.length === 0) {
    for (let { next } = head; fits(next); next = next.next) items.push(next);
  } else {
    while (fits(lanes.ready[kind].first)) items.push(lanes.ready[kind].shift()!);
  }
  return items;
}

/** What a function says of an entry that it names in `batchItemFailures`. */
export const REPORTED: Failure = {
  kind: 'own',
  type: 'LAMBDA:BATCH_ITEM',
  message: 'The function reported it as failed',
};

const isBatchable = (item: Item): boolean => {
  return item.entry !== undefined && item.dueAt === 0 && !isFailing(item) && !isDoubtful(item.entry);
};

/** What became of a batch: of a shard that is one key, all before the first failure was taken, and it goes on there. */
export function splitBatch(items: readonly Item[], failedIds: ReadonlySet<string>): { taken: Item[]; failed: Item[] } {
  const isTaken = ({ id }: Item) => !failedIds.has(id);
  const taken = items.filter(isTaken);
  if (taken.length === items.length || headsOf(items).length > 1)
    return { taken, failed: items.filter((item) => !isTaken(item)) };
  const first = items.findIndex((item) => !isTaken(item));
  return { taken: items.slice(0, first), failed: [items[first]!] };
}

/** The first of each key. */
export function headsOf(items: readonly Item[]): readonly Item[] {
  if (items.length < 2 || items[0]!.lane !== items[1]!.lane) return items;
  return [items[0]!];
}
