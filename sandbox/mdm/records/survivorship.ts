import type { GoldenRecord, SourceRecord } from './record.ts';

interface Winner {
  readonly value: unknown;
  readonly changedAt: number;
  readonly at: number;
  readonly source: SourceRecord;
}

/**
 * Which source's value of each field survives in a golden record: the one that changed last, then the last submitted.
 */
export function winnersOf(golden: GoldenRecord): Map<string, Winner> {
  const winners = new Map<string, Winner>();
  for (const source of golden.sources) {
    for (const [name, field] of source.fields) {
      const best = winners.get(name);
      const isLater = !best || field.changedAt > best.changedAt;
      if (isLater || (field.changedAt === best.changedAt && field.at > best.at))
        winners.set(name, { ...field, source });
    }
  }
  for (const [name, { value }] of winners) if (value === null) winners.delete(name);
  return winners;
}

/** The blended fields of a golden record. */
export function blendOf(golden: GoldenRecord): Record<string, unknown> {
  golden.blended ??= Object.fromEntries([...winnersOf(golden)].map(([name, { value }]) => [name, value]));
  return golden.blended;
}
