import { expect, it } from '@jest/globals';
import { playCallers } from '../../faults/callers.ts';

/** Printed with a failure. */
const seed = Date.now() % 1_000_000;

it.each(['server', 'cluster'] as const)(
  `no call of fifty callers hangs, leaks or fails in an undocumented way while a %s has faults (seed ${seed})`,
  async (redis) => {
    const report = await playCallers(redis, { ms: 4000, seed });

    expect(report.faults).toEqual([]);
    expect(report.calls).toBeGreaterThan(50);
  },
  120_000,
);
