import { expect, it } from '@jest/globals';
import { soak } from '../../soak/callers.ts';
import { startClusterWorld, startServerWorld } from '../../soak/worlds.ts';

it.each([
  ['one server', startServerWorld],
  ['a cluster', startClusterWorld],
])(
  'fifty callers under faults of %s: no hang, no leak, no error outside the table',
  async (_what, start) => {
    const report = await soak(await start(), 4000);

    expect(report.faults).toEqual([]);
    expect(report.calls).toBeGreaterThan(50);
  },
  120_000,
);
