/** Measures one variant once: milliseconds, or whatever unit all variants of a figure share. */
export type Measure = () => Promise<number> | number;

/**
 * Measures all variants once a round, in a new random order each round, so that a drift of the machine meets all alike.
 *
 * @returns for each variant, one value a round
 */
export async function interleave<Name extends string>(
  rounds: number,
  variants: Record<Name, Measure>,
): Promise<Record<Name, number[]>> {
  const names = Object.keys(variants) as Name[];
  const values = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>;
  for (let round = 0; round < rounds; round++) {
    for (const name of shuffle(names)) values[name].push(await variants[name]());
  }
  return values;
}

/** The quotients of measurements of the same round. */
export function quotients(dividends: readonly number[], divisors: readonly number[]): number[] {
  return dividends.map((dividend, round) => dividend / divisors[round]!);
}

function shuffle<T>(items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, place: Math.random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item);
}

/** The value that this share of all values does not exceed; between two, the line between them. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (sorted.length - 1) * share;
  const below = sorted[Math.floor(at)]!;
  return below + (sorted[Math.ceil(at)]! - below) * (at % 1);
}

export const median = (values: readonly number[]) => quantile(values, 0.5);

/** How sure the interval of a median is. */
const CONFIDENCE = 0.95;

/**
 * Where the true median lies with a confidence of at least 95 %, whatever the distribution: between two of the sorted
 * values, by the sign test (of nine values, the second and the last but one). Less than six
 * values are too few for that: then all of them.
 */
export function intervalOf(values: readonly number[]): [low: number, high: number] {
  const sorted = [...values].sort((a, b) => a - b);
  let [rank, chance, outside] = [0, 2 ** -sorted.length, 0];
  for (let heads = 0; 2 * (outside + chance) <= 1 - CONFIDENCE; heads++) {
    outside += chance;
    chance *= (sorted.length - heads) / (heads + 1);
    rank = heads;
  }
  return [sorted[rank]!, sorted[sorted.length - 1 - rank]!];
}
