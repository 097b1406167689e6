import type { GoldenRecord, SourceRecord } from './record.ts';
import type { Records } from './records.ts';

/** Whether source records stay together, or each gets its own golden record. */
export type Grouping = 'ALL' | 'NONE';

/** Moves the source records of the others to one golden record, until they are unmerged. */
export function merge(records: Records, survivor: GoldenRecord, others: readonly GoldenRecord[]): void {
  for (const source of survivor.sources) source.isGrouped = true;
  for (const { sources } of others) for (const source of [...sources]) group(records, source, survivor);
}

/** Takes source records out of a golden record. Its id stays with the first that remains. */
export function unmerge(
  records: Records,
  golden: GoldenRecord,
  removed: readonly SourceRecord[],
  how: { remaining: Grouping; removed: Grouping },
): void {
  const [, ...furtherRemaining] = [...golden.sources].filter((source) => !removed.includes(source));
  split(records, removed, how.removed);
  if (how.remaining === 'NONE') split(records, furtherRemaining, 'NONE');
  for (const source of golden.sources) source.isGrouped = true;
}

function split(records: Records, sources: readonly SourceRecord[], grouping: Grouping): void {
  let together: GoldenRecord | undefined;
  for (const source of sources) {
    const golden = together ?? records.newGolden(source);
    group(records, source, golden);
    if (grouping === 'ALL') together = golden;
  }
}

function group(records: Records, source: SourceRecord, golden: GoldenRecord): void {
  records.move(source, golden);
  source.isGrouped = true;
}
