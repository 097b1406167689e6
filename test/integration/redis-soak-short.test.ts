import { expect, it } from '@jest/globals';
import { soak } from '../soak/callers.ts';

it('fifty callers under faults: no hang, no leak, no error outside the table (npm run soak is the long form)', async () => {
  const report = await soak(10_000);

  expect(report.faults).toEqual([]);
  expect(report.calls).toBeGreaterThan(50);
}, 90_000);
