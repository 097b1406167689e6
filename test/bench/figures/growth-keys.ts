import { carry, ENGINE_SETTINGS } from '../carry.ts';
import type { Figure } from '../figure.ts';
import { growthExponent, interleave } from '../rounds.ts';

const KEYS = [1, 10, 100, 1_000, 10_000, 100_000];
const LOAD = { entries: 100_000, warmUp: 20_000, settings: ENGINE_SETTINGS };

/** How the time of an entry grows with the number of keys that the stream holds. */
export const growthKeys: Figure = {
  name: 'growth-keys',
  ids: ['growth-keys', 'growth-many-keys'],
  most: 4,
  isExponent: true,
  async measure(bench) {
    const ms = await interleave(
      bench.growthRounds,
      Object.fromEntries(KEYS.map((keys) => [keys, () => carry(bench, bench.engine, { ...LOAD, keys })])),
    );
    const exponentFrom = (least: number) => (_: unknown, round: number) =>
      growthExponent(KEYS.filter((keys) => keys >= least).map((keys) => [keys, ms[keys]![round]!]));
    const rounds = Array.from({ length: bench.growthRounds });
    return [
      { id: 'growth-keys', values: rounds.map(exponentFrom(1)) },
      { id: 'growth-many-keys', values: rounds.map(exponentFrom(100)) },
    ];
  },
};
