import type { GoldenRecord, SourceRecord } from './record.ts';

interface Winner {
  readonly value: unknown;
  readonly at: number;
  readonly source: SourceRecord;
}

/** Which source's value of each field survives in a golden record: the latest submitted. */
export function winnersOf(golden: GoldenRecord): Map<string, Winner> {
  const winners = new Map<string, Winner>();
  for (const source of golden.sources) {
    for (const [name, { value, at }] of source.fields) {
      if (at > (winners.get(name)?.at ?? 0)) winners.set(name, { value, at, source });
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
