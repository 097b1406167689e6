import { writeFileSync } from 'node:fs';
import { readArguments, wholeNumber } from '#scripts/arguments.ts';
import { drawPanels } from '#test/support/panels.ts';
import { costsOf, describeCosts } from './costs.ts';
import { simulateDay, type Day } from './day.ts';
import { simulateWokenDay, type WokenDay } from './woken-day.ts';

/*
 * npm run simulate: days of the consumer in virtual time, with the engine itself. One is quiet, on 16 shards, with and
 * without the wake: latencies beside costs. The other is busy, at 1,000 entries a second with two outages, on a schedule
 * alone: --busy; with --plot, draws it.
 */

const HOUR = 3_600_000;
const MINUTES_A_DAY = 1440;
const SHARDS = 16;
const OUTAGES = [
  { from: 9 * HOUR, to: 9 * HOUR + 20 * 60_000, failsAfterMs: 20 },
  { from: 15 * HOUR, to: 16 * HOUR, failsAfterMs: 10_000 },
];

const { values } = readArguments({
  command: 'npm run simulate',
  about: 'Simulates days of the consumer in virtual time, and prints what came out.',
  options: {
    busy: { type: 'boolean', about: 'a busy day, too: takes some minutes' },
    rate: { type: 'string', default: '1000', value: '<n>', about: 'entries a second of the busy day, over all shards' },
    plot: { type: 'string', value: '<file>', about: 'draw the busy day as an SVG' },
  },
  examples: ['npm run simulate', 'npm run simulate -- --rate 320 --plot docs/consumer-day.svg'],
});
const rate = wholeNumber('rate', values.rate, { max: 100_000 });

const QUIET = { single: 120, burst: 2000, outages: OUTAGES };
console.log(
  `A quiet day of ${SHARDS} shards: ${QUIET.single} entries an hour one by one, and each hour ${QUIET.burst} at once`,
);
console.log('(latencies until the MDM is called, in hours without an outage; two outages)');
reportQuiet('on a schedule of a minute', await simulateWokenDay({ ...QUIET, isWoken: false }));
reportQuiet('with wake', await simulateWokenDay({ ...QUIET, isWoken: true }));
if (values.busy || values.plot) await simulateBusy();

function reportQuiet(how: string, day: WokenDay): void {
  const percentile = (sorted: readonly number[], share: number) => sorted[Math.ceil(share * sorted.length) - 1]!;
  const latencies = (sorted: readonly number[]) =>
    [0.5, 0.99, 1].map((share) => `p${share * 100} ${Math.round(percentile(sorted, share))} ms`).join(', ');
  console.log(`${how}: ${day.single.length + day.burst.length} entries measured, ${day.left} left`);
  console.log(`  one by one: ${latencies(day.single)}`);
  console.log(`  at once:    ${latencies(day.burst)}`);
  console.log(`  ${day.invocations} invocations, ${(day.billedMs / HOUR).toFixed(2)} hours of function time`);
  console.log(`  ${describeCosts(costsOf({ ...day, scheduled: MINUTES_A_DAY }))}`);
}

async function simulateBusy(): Promise<void> {
  const day = await simulateDay({ rate, shards: SHARDS, keys: 5000, concurrency: 10, outages: OUTAGES });
  const [invocations, billedMs] = [day.invocations * SHARDS, day.billedMs * SHARDS];
  const failures = (day.attempts - day.processed) * SHARDS;
  const costs = costsOf({ invocations, billedMs, failures, scheduled: invocations });
  const millions = (day.processed * SHARDS) / 1e6;
  console.log(`\nA busy day of ${SHARDS} shards, ${rate} entries a second, a run for each shard every minute, no wake`);
  console.log(`  ${millions.toFixed(1)} million entries, ${day.deadLetters * SHARDS} dead letters`);
  console.log(
    `  ${invocations} invocations, ${(billedMs / HOUR).toFixed(1)} hours of function time, ${describeCosts(costs)}`,
  );
  console.log(`  ${((costs.duration! / millions) * 100).toFixed(2)} cents of function time a million entries`);
  console.log(`  attempts beyond one an entry: ${failures}`);
  const caughtUp = (after: number) => day.samples.find(({ time, behind }) => time > after && behind < 10_000)!.time;
  for (const { to } of OUTAGES) console.log(`  caught up ${(caughtUp(to) - to) / 60_000} minutes after the outage`);
  if (values.plot) writeFileSync(values.plot, plot(day));
}

function plot({ samples }: Day): string {
  const points = (value: (sample: (typeof samples)[number]) => number) =>
    samples.map((sample) => [sample.time / HOUR, value(sample)] as const);
  const most = Math.max(...samples.map(({ behind }) => behind));
  const max = Math.ceil(most / 100_000) * 100_000;
  const thousands = (value: number) => `${value / 1000}k`;
  const minutes = (value: number) => `${value} min`;
  return drawPanels(
    [
      { title: 'Entries behind, a shard', points: points(({ behind }) => behind), max, marks: [0, max / 2, max], format: thousands }, // prettier-ignore
      { title: 'Age of the oldest entry', points: points(({ oldestMs }) => oldestMs / 60_000), max: 75, marks: [0, 30, 60], format: minutes }, // prettier-ignore
    ],
    {
      ...{ end: 24, marks: [0, 6, 12, 18, 24].map((hour) => [hour, `${hour}:00`] as const) },
      shaded: OUTAGES.map(({ from, to }) => ({ from: from / HOUR, to: to / HOUR, colour: 'red' as const })),
    },
  );
}
