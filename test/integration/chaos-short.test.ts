import { describe, expect, it } from '@jest/globals';
import { scenarios } from '../chaos/scenarios.ts';

/** Printed with a failure: `npm run chaos -- --scenario <name> --seed <seed>` repeats it at full size. */
const seed = Date.now() % 1_000_000;

describe(`chaos, in short (seed ${seed})`, () => {
  it.each([
    'container killed',
    'redis killed and restarted',
    'mdm failing',
    'dead letters refused',
    '5 keys answer 503',
    'deadline in the middle, again and again',
  ])(
    'loses nothing, keeps the order and its bounds with %s',
    async (name) => {
      const { faults, taken } = await scenarios[name]!({ seed, entries: 600, keys: 50, strikes: 5 });

      expect(faults).toEqual([]);
      expect(taken).toBeGreaterThan(500);
    },
    30_000,
  );
});
