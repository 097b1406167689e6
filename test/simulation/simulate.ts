import { writeFileSync } from 'node:fs';
import { readArguments, stop, wholeNumber } from '../../scripts/arguments.ts';
import { simulateDay } from './day.ts';
import { plotDay } from './plot.ts';

/*
 * npm run simulate: a day at 1,000 entries a second with two outages, through the engine in virtual time. Prints what
 * came out; with --plot, draws it.
 */

const { values } = readArguments({
  command: 'npm run simulate',
  about: 'Simulates a day with two outages, in virtual time, and prints what came out.',
  options: {
    rate: { type: 'string', default: '1000', value: '<n>', about: 'entries a second, over all shards' },
    plot: { type: 'string', value: '<file>', about: 'draw the day as an SVG; docs/consumer-day.svg is made so' },
  },
  examples: ['npm run simulate', 'npm run simulate -- --plot docs/consumer-day.svg'],
});
const rate = readRate();

function readRate(): number {
  try {
    return wholeNumber('rate', values.rate, { max: 100_000 });
  } catch (error) {
    return stop(error);
  }
}

const HOUR = 3_600_000;
/** Lambda on arm64 in us-east-1: a GB-second, and a million requests, in dollars. */
const PRICE = { gbSecond: 0.0000133334, million: 0.2 };
const MEMORY_GB = 0.5;

const shards = 8;
const outages = [
  { from: 9 * HOUR, to: 9 * HOUR + 20 * 60_000, failsAfterMs: 20 },
  { from: 15 * HOUR, to: 16 * HOUR, failsAfterMs: 10_000 },
];
const day = await simulateDay({ rate, shards, keys: 5000, concurrency: 20, outages });

const invocations = day.invocations * shards;
const hours = (day.billedMs * shards) / HOUR;
const dollars = (day.billedMs / 1000) * shards * MEMORY_GB * PRICE.gbSecond + (invocations / 1e6) * PRICE.million;
const millions = (day.processed * shards) / 1e6;
console.log(`${millions.toFixed(1)} million entries, ${day.deadLetters * shards} dead letters`);
console.log(`${invocations} invocations, ${hours.toFixed(1)} hours of function time`);
console.log(`${dollars.toFixed(2)} dollars, ${((dollars / millions) * 100).toFixed(2)} cents a million entries`);
console.log(`attempts beyond one an entry: ${(day.attempts - day.processed) * shards}`);
const caughtUp = (after: number) => day.samples.find(({ time, behind }) => time > after && behind < 10_000)!.time;
for (const { to } of outages) console.log(`caught up ${(caughtUp(to) - to) / 60_000} minutes after the outage`);

const points = (value: (sample: (typeof day.samples)[number]) => number) =>
  day.samples.map((sample) => [sample.time / HOUR, value(sample)] as const);
const thousands = (value: number) => `${value / 1000}k`;
const minutes = (value: number) => `${value} min`;
if (values.plot) {
  writeFileSync(
    values.plot,
    plotDay(
      [
        { title: 'Entries behind, a shard', points: points(({ behind }) => behind), max: 500_000, marks: [0, 250_000, 500_000], format: thousands }, // prettier-ignore
        { title: 'Age of the oldest entry', points: points(({ oldestMs }) => oldestMs / 60_000), max: 75, marks: [0, 30, 60], format: minutes }, // prettier-ignore
      ],
      outages.map(({ from, to }) => [from / HOUR, to / HOUR]),
    ),
  );
}
