import { readFile, writeFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { oneOf, readArguments } from '#scripts/arguments.ts';
import { formatted } from '#scripts/generate/format.ts';
import { readingsOf } from './figure.ts';
import { figures } from './figures/index.ts';
import { startFixture } from './fixture.ts';
import { describeMachine } from './machine.ts';
import { writePage } from './page.ts';
import { drawPlot, type Report } from './plot.ts';
import { judge, type Result } from './results.ts';
import { printHead, printResult } from './table.ts';

/*
 * npm run prove -- bench [--quick] [--check] [--only cold-start --only wake] [--draw]
 *
 * Measures the packaged functions against the baselines, prints a table, and writes docs/benchmarks.json, one run as a
 * whole, with the page and the plot that are made from it. --only measures some figures and --quick all of them with
 * fewer rounds: both write nothing. Let the machine do nothing else.
 */

const ROUNDS = 9;
const QUICK_ROUNDS = 2;
const REPORT = 'docs/benchmarks.json';

const known = figures.flatMap(({ name, ids }) => [...new Set([name, ...ids])]);
const { values: options } = readArguments({
  command: 'npm run prove -- bench',
  about: 'Measures the packaged functions against baselines. Let the machine do nothing else.',
  options: {
    quick: { type: 'boolean', about: 'a first look, with fewer rounds; writes nothing' },
    check: { type: 'boolean', about: 'end with 1 where a target is missed' },
    only: {
      type: 'string',
      multiple: true,
      value: '<figure>',
      about: 'this figure alone; may be repeated; writes nothing',
    },
    draw: { type: 'boolean', about: 'measure nothing, make the page and the plot of docs/benchmarks.json again' },
  },
  examples: ['npm run prove -- bench --quick', 'npm run prove -- bench --only cold-start --only engine-bullmq'],
  notes:
    'A whole run takes about two hours, less where no figure is noisy, and writes docs/benchmarks.json, .md and .svg.' +
    `\nFigures: ${known.join(', ')}`,
});
for (const name of options.only ?? []) oneOf('only', name, known);

if (options.draw) await writeDocuments(JSON.parse(await readFile(REPORT, 'utf8')) as Report);
else await measure();

async function measure(): Promise<void> {
  const { only, quick: isQuick = false } = options;
  const isMeant = (name: string) => only?.includes(name) ?? true;
  const chosen = figures.filter(({ name, ids }) => [name, ...ids].some(isMeant));
  const [loadBefore] = loadavg();
  const startedAt = performance.now();
  const bench = await startFixture({ rounds: isQuick ? QUICK_ROUNDS : ROUNDS, isQuick });
  const results: Result[] = [];
  try {
    printHead();
    for (const figure of chosen) {
      const judged = (await readingsOf(figure, bench)).map(judge);
      judged.filter(({ id }) => isMeant(figure.name) || isMeant(id)).forEach(printResult);
      results.push(...judged);
    }
  } finally {
    await bench.close();
  }
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  console.log(`\n${seconds} s`);

  if (!isQuick && !only) {
    const report = { date: new Date().toISOString(), ...describeMachine(), loadBefore, seconds, results };
    await writeFile(REPORT, await formatted(REPORT, JSON.stringify(report)));
    await writeDocuments(report);
  }
  const missed = results.filter(({ meets }) => !meets);
  if (options.check && missed.length > 0) {
    console.error(`Missed: ${missed.map(({ id }) => id).join(', ')}`);
    process.exitCode = 1;
  }
}

async function writeDocuments(report: Report): Promise<void> {
  await writeFile('docs/benchmarks.md', writePage(report));
  await writeFile('docs/benchmarks.svg', drawPlot(report));
}
