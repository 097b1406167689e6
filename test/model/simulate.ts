import { writeFileSync } from 'node:fs';
import { readArguments, wholeNumber } from '#scripts/arguments.ts';
import { drawPanels } from '#test/support/panels.ts';
import { costsOf, describeCosts } from './costs.ts';
import { Day } from './day.ts';
import { DAY, HOUR, MINUTE } from './virtual-runs.ts';

/*
 * npm run prove -- simulate: days of the consumer in virtual time, with the engine itself. One is quiet, on 16 shards,
 * with and without the wake: latencies beside costs. The other is busy, at 1,000 entries a second with two outages, on
 * a schedule alone: --busy; with --plot, draws it.
 */

const SHARDS = 16;
const OUTAGES = [
  { from: 9 * HOUR, to: 9 * HOUR + 20 * 60_000, failsAfterMs: 20 },
  { from: 15 * HOUR, to: 16 * HOUR, failsAfterMs: 10_000 },
];

const { values } = readArguments({
  command: 'npm run prove -- simulate',
  about: 'Simulates days of the consumer in virtual time, and prints what came out.',
  options: {
    busy: { type: 'boolean', about: 'a busy day, too: takes some minutes' },
    rate: { type: 'string', default: '1000', value: '<n>', about: 'entries a second of the busy day, over all shards' },
    plot: { type: 'string', value: '<file>', about: 'draw the busy day as an SVG' },
  },
  examples: ['npm run prove -- simulate', 'npm run prove -- simulate --rate 320 --plot docs/consumer-day.svg'],
});
const rate = wholeNumber('rate', values.rate, { max: 100_000 });

const [SINGLE, BURST] = [120, 2000];
console.log(`A quiet day of ${SHARDS} shards: ${SINGLE} entries an hour one by one, and each hour ${BURST} at once`);
console.log('(latencies until the MDM is called, in hours without an outage; two outages)');
await reportQuiet('on a schedule of a minute', false);
await reportQuiet('with wake', true);
if (values.busy || values.plot) await simulateBusy();

async function reportQuiet(how: string, isWoken: boolean): Promise<void> {
  const day = await new Day({ shards: SHARDS, keys: 5000, isWoken, outages: OUTAGES }).playQuiet(SINGLE, BURST);
  const [single = [], burst = []] = ['single', 'burst'].map((kind) => day.latencies.get(kind));
  const percentile = (sorted: readonly number[], share: number) => sorted[Math.ceil(share * sorted.length) - 1]!;
  const latencies = (sorted: readonly number[]) =>
    [0.5, 0.99, 1].map((share) => `p${share * 100} ${Math.round(percentile(sorted, share))} ms`).join(', ');
  console.log(`${how}: ${single.length + burst.length} entries measured, ${day.behind} left`);
  console.log(`  one by one: ${latencies(single)}`);
  console.log(`  at once:    ${latencies(burst)}`);
  console.log(`  ${day.invocations} invocations, ${(day.billedMs / HOUR).toFixed(2)} hours of function time`);
  const { invocations, billedMs, failures } = day;
  console.log(`  ${describeCosts(costsOf({ invocations, billedMs, failures, scheduled: DAY / MINUTE }))}`);
}

async function simulateBusy(): Promise<void> {
  const day = await new Day({ shards: 1, keys: 5000, isWoken: false, outages: OUTAGES }).playSteady(rate / SHARDS);
  const [invocations, billedMs] = [day.invocations * SHARDS, day.billedMs * SHARDS];
  const failures = day.failures * SHARDS;
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
  const most = Math.max(...samples.map((sample) => sample.behind));
  const max = Math.ceil(most / 100_000) * 100_000;
  const thousands = (value: number) => `${value / 1000}k`;
  const minutes = (value: number) => `${value} min`;
  const behind = { title: 'Entries behind, a shard', points: points((sample) => sample.behind), max };
  const oldest = { title: 'Age of the oldest entry', points: points(({ oldestMs }) => oldestMs / 60_000), max: 75 };
  return drawPanels(
    [
      { ...behind, marks: [0, max / 2, max], format: thousands },
      { ...oldest, marks: [0, 30, 60], format: minutes },
    ],
    {
      end: 24,
      marks: [0, 6, 12, 18, 24].map((hour) => [hour, `${hour}:00`] as const),
      shaded: OUTAGES.map(({ from, to }) => ({ from: from / HOUR, to: to / HOUR, colour: 'red' as const })),
    },
  );
}
