import { readFile, writeFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { format, resolveConfig } from 'prettier';
import { oneOf, readArguments, stop } from '../../scripts/arguments.ts';
import { figures } from './figures/index.ts';
import { describeMachine } from './machine.ts';
import { drawPlot } from './plot.ts';
import { judge, type Result } from './results.ts';
import { startFixture } from './fixture.ts';
import { printHead, printResult } from './table.ts';

/*
 * npm run bench [-- --quick] [--check] [--only cold-start --only memory]
 *
 * Measures the packaged functions against the baselines, prints a table, and writes docs/benchmarks.json and
 * docs/benchmarks.svg; with --only, those figures anew. --quick is a first look of two minutes, with fewer rounds, and
 * writes nothing; --check ends with 1 where a target is missed. Let the machine do nothing else.
 */

const ROUNDS = 9;
const QUICK_ROUNDS = 2;

const { values: options } = readArguments({
  command: 'npm run bench',
  about: 'Measures the packaged functions against baselines. Let the machine do nothing else.',
  options: {
    quick: { type: 'boolean', about: 'a first look, with fewer rounds; writes nothing' },
    check: { type: 'boolean', about: 'end with 1 where a target is missed' },
    only: { type: 'string', multiple: true, value: '<figure>', about: 'this figure alone; may be repeated' },
  },
  examples: ['npm run bench -- --quick', 'npm run bench -- --only cold-start --only memory'],
  notes: `Without --quick it writes docs/benchmarks.json and docs/benchmarks.svg.\nFigures: ${figures.map(({ name }) => name).join(', ')}`,
});
try {
  const names = figures.map(({ name }) => name);
  for (const name of options.only ?? []) oneOf('only', name, names);
} catch (error) {
  stop(error);
}
const chosen = figures.filter(({ name }) => options.only?.includes(name) ?? true);

const isQuick = options.quick ?? false;
const [loadBefore] = loadavg();
const startedAt = Date.now();
const bench = await startFixture(isQuick ? QUICK_ROUNDS : ROUNDS, isQuick);
const results: Result[] = [];
try {
  printHead();
  for (const figure of chosen) {
    const judged = (await figure.measure(bench)).map(judge);
    judged.forEach(printResult);
    results.push(...judged);
  }
} finally {
  await bench.close();
}
console.log(`\n${((Date.now() - startedAt) / 1000).toFixed(0)} s`);

if (!isQuick) {
  const path = 'docs/benchmarks.json';
  const measured = new Map((options.only ? await readResults(path) : []).map((result) => [result.id, result]));
  for (const result of results) measured.set(result.id, result);
  const report = { date: new Date().toISOString(), ...describeMachine(), loadBefore, results: [...measured.values()] };
  await writeFile(path, await format(JSON.stringify(report), { ...(await resolveConfig(path)), filepath: path }));
  await writeFile('docs/benchmarks.svg', drawPlot(report));
}
const missed = results.filter(({ meets }) => meets === 'none');
if (options.check && missed.length > 0) {
  console.error(`Missed: ${missed.map(({ id }) => id).join(', ')}`);
  process.exitCode = 1;
}

async function readResults(path: string): Promise<Result[]> {
  return (JSON.parse(await readFile(path, 'utf8')) as { results: Result[] }).results;
}
