import { mkdir, readdir, rm } from 'node:fs/promises';
import { Presets, SingleBar } from 'cli-progress';
import { readArguments, ScriptError } from './arguments.ts';
import { writeBill } from './build/bill-of-materials.ts';
import { bundleFunction, type Bundle } from './build/bundle.ts';
import { printReport } from './build/report.ts';
import { staleBundles } from './build/stale.ts';
import { functions } from './build/functions.ts';

/*
 * npm run build [-- --report] [-- --only stream-xadd]: bundles every function into dist/<function>/, with its bill of
 * materials and the licences of its contents.
 */

/** So many bundles are made at a time; more take no less time, and all end at once. */
const AT_ONCE = 8;
/** Where stderr is no terminal, a line every three seconds. */
const LINES_ELSEWHERE = { noTTYOutput: true, notTTYSchedule: 3000, gracefulExit: false };

const { values } = readArguments({
  command: 'npm run build',
  about: 'Bundles every function into dist/<function>/.',
  options: {
    report: { type: 'boolean', about: "list what each function's kilobytes are made of" },
    stale: { type: 'boolean', about: 'bundle only functions whose bundle is missing or older than a source' },
    only: {
      type: 'string',
      multiple: true,
      value: '<function>',
      about: 'bundle only this one; may be repeated',
    },
  },
  examples: ['npm run build -- --report', 'npm run build -- --only stream-xadd'],
});
const { only = [] } = values;
const unknown = only.find((name) => !functions.some((one) => one.name === name));
if (unknown !== undefined)
  throw new ScriptError(`--only takes the name of a function such as stream-xadd, not '${unknown}'`);
const named = only.length > 0 ? functions.filter(({ name }) => only.includes(name)) : functions;
const isStale = values.stale ? staleBundles() : () => true;
const chosen = named.filter(({ name }) => isStale(name));

if (chosen.length === functions.length) await removeOthers();
const what = `${chosen.length} ${chosen.length === 1 ? 'function' : 'functions'}`;
const format = `Bundling ${what}… {bar} {value} of {total}`;
const bar = new SingleBar({ ...LINES_ELSEWHERE, format, clearOnComplete: true }, Presets.shades_classic);
const startedAt = performance.now();
if (chosen.length > 0) bar.start(chosen.length, 0);
const built = new Map<string, Bundle>();
const waiting = chosen.values();
await Promise.all(Array.from({ length: AT_ONCE }, bundleInTurn));
bar.stop();
if (values.report) printReport(new Map(chosen.map(({ name }) => [name, built.get(name)!])));
else if (built.size > 0)
  console.log(`Bundled ${what} into dist/ in ${Math.round((performance.now() - startedAt) / 1000)} s`);

/** What earlier versions or interrupted builds left. The functions' own bundles stay until each is replaced. */
async function removeOthers(): Promise<void> {
  await mkdir('dist', { recursive: true });
  const others = (await readdir('dist')).filter((name) => !functions.some((one) => one.name === name));
  await Promise.all(others.map((name) => rm(`dist/${name}`, { recursive: true })));
}

async function bundleInTurn(): Promise<void> {
  for (const { name, handler } of waiting) {
    const directory = `dist/${name}`;
    const bundle = await bundleFunction(handler, directory);
    await writeBill(name, bundle, directory);
    built.set(name, bundle);
    bar.increment();
  }
}
