import { describe, expect, it } from '@jest/globals';
import { scenarios } from '../../chaos/scenarios.ts';

/** Printed with a failure: `npm run chaos -- --scenario <name> --seed <seed>` repeats it at full size. */
const seed = Date.now() % 1_000_000;
const size = { seed, entries: 600, keys: 50, strikes: 5, hotEntries: 2000, badKeys: 30 };

describe(`chaos, in short (seed ${seed})`, () => {
  it.each([
    ...['container killed', 'redis killed and restarted', 'mdm failing', 'dead letters refused'],
    ...['slot of a cluster moved', '5 keys answer 503', '1,000 keys answer 500 among others'],
    ...['one key with most entries', 'deadline in the middle, again and again', 'lease lost under a full buffer'],
    ...['password of the mdm changed', 'woken under kills', 'runs joining and leaving'],
  ])(
    'loses nothing, keeps the order and its bounds with %s',
    async (name) => {
      const { faults, taken } = await scenarios[name]!(size);

      expect(faults).toEqual([]);
      expect(taken).toBeGreaterThan(50);
    },
    60_000,
  );
});
