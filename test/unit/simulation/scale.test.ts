import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { BILLION_A_DAY, exchangesOf, usesOf } from '../../simulation/scale-model.ts';
import { writeTables } from '../../simulation/scale-page.ts';
import { simulateRuns } from '../../simulation/runs.ts';

it('has the tables of the model in docs/scale.md', () => {
  const page = readFileSync('docs/scale.md', 'utf8');

  for (const table of Object.values(writeTables(BILLION_A_DAY))) expect(page).toContain(table);
});

it('keeps a billion records a day within each limit', () => {
  const { uses } = usesOf(BILLION_A_DAY);

  expect(uses.filter(({ amount, limit }) => amount > limit)).toEqual([]);
});

it('agrees with a simulation of runs that share shards', async () => {
  const part = 1 / 16;
  const setup = { ...BILLION_A_DAY, recordsADay: 1e9 * part, shards: 256 * part };
  const { mean, runRate } = usesOf(setup);
  const runs = Math.ceil(mean / runRate) + 1;
  const { shards, concurrency, mdmMs } = setup;
  const model = exchangesOf(setup, runs);

  const seen = await simulateRuns({ rate: mean, shards, runs, concurrency, mdmMs, seconds: 8, fromSecond: 3 });

  expect(seen.share).toBeGreaterThan(0.97);
  expect(seen.p99).toBeLessThan(500);
  expect(seen.exchanges).toBeLessThan(1.5 * model.carried);
  expect(seen.looks).toBeLessThan(1.5 * model.looked);
});
