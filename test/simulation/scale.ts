import { writeFileSync } from 'node:fs';
import { readArguments } from '#scripts/arguments.ts';
import { BILLION_A_DAY, usesOf } from './scale-model.ts';
import { writePage, writeTables } from './scale-page.ts';
import { simulateRuns } from './runs.ts';

/*
 * npm run scale [-- --write docs/scale.md]: what a billion records a day take and cost, on paper, and what the engine
 * does at that rate in virtual time.
 */

const { values } = readArguments({
  command: 'npm run scale',
  about: 'Computes what a billion records a day take and cost, and simulates the consumer at that rate.',
  options: { write: { type: 'string', value: '<file>', about: 'write the page; docs/scale.md is made so' } },
  examples: ['npm run scale', 'npm run scale -- --write docs/scale.md'],
});

const setup = BILLION_A_DAY;
const { mean, runRate } = usesOf(setup);
const runs = Math.ceil(mean / runRate);
const { uses, costs, turned } = writeTables(setup);
console.log([uses, turned, costs].join('\n\n'));
const { shards, concurrency, mdmMs } = setup;
const simulated = await simulateRuns({ rate: mean, shards, runs, concurrency, mdmMs, seconds: 12, fromSecond: 3 });
console.log(simulated);
if (values.write) writeFileSync(values.write, writePage(setup, { runs, ...simulated }));
