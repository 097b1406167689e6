import { expect, it } from '@jest/globals';
import { playDays } from '../../model/days.ts';

/** The same week in every run: `npm run prove -- explore --days 7` plays another one. */
const SEED = 1;

it('a week of sixteen shards, with a new fault each day, loses nothing and keeps order', async () => {
  const { faults, failed, killed, redriven } = await playDays(7, SEED);

  expect(faults).toEqual([]);
  expect(Math.min(failed, killed, redriven)).toBeGreaterThan(0);
}, 180_000);
