import { expect, it } from '@jest/globals';
import { playStreamCallers } from '../../faults/stream-callers.ts';

/** The same calls and faults in every run: `npm run prove -- faults --callers 1` draws others. */
const SEED = 1;

it.each(['server', 'cluster'] as const)(
  'no call of fifty callers hangs, leaks or fails in an undocumented way while a %s has faults',
  async (redis) => {
    const report = await playStreamCallers(redis, { ms: 4000, seed: SEED });

    expect(report.faults).toEqual([]);
    expect(report.calls).toBeGreaterThan(50);
  },
  120_000,
);
