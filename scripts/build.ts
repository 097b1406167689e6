import { mkdir, readdir, rm } from 'node:fs/promises';
import { Presets, SingleBar } from 'cli-progress';
import { readArguments, ScriptError } from './arguments.ts';
import { writeBill } from './build/bill-of-materials.ts';
import { bundleFunction, bundleTogether, SHARED, type Bundle } from './build/bundle.ts';
import { BUNDLES, type Form } from './build/forms.ts';
import { withLock } from './build/lock.ts';
import { printReport } from './build/report.ts';
import { recordSources, staleBundles } from './build/stale.ts';
import { functions, type DeployedFunction } from './build/functions.ts';

/*
 * npm run build [-- --report] [-- --only stream-xadd]: bundles every function into dist/<function>/, with its bill of
 * materials and the licences of its contents. With --local, bundles them for the local stack and for tests.
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
    stale: { type: 'boolean', about: 'bundle only functions whose bundle is missing, or a source of which changed' },
    local: { type: 'boolean', about: 'bundle for the local stack and for tests, into .build/functions/' },
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
const form: Form = values.local ? 'local' : 'release';
const folder = BUNDLES[form];

if (chooseFrom(named).length > 0) await withLock(`.build/${form}.lock`, buildChosen);

/** Those that are to be bundled now. */
function chooseFrom(some: readonly DeployedFunction[]): readonly DeployedFunction[] {
  if (!values.stale) return some;
  const isStale = staleBundles(form);
  return some.filter(({ name }) => isStale(name));
}

async function buildChosen(): Promise<void> {
  const chosen = chooseFrom(named); // another process may have bundled some meanwhile
  if (chosen.length === functions.length) await removeOthers();
  if (chosen.length === 0) return;
  const startedAt = Date.now();
  const what = `${chosen.length} ${chosen.length === 1 ? 'function' : 'functions'}`;
  if (form === 'local') {
    console.log(`Bundling ${what}…`);
    const bundle = await bundleTogether(new Map(chosen.map(({ name, handler }) => [name, handler])), folder);
    await recordSources(form, chosen, bundle, startedAt);
  } else {
    await release(chosen, `Bundling ${what}… {bar} {value} of {total}`, startedAt);
    if (values.report) return;
  }
  console.log(`Bundled ${what} into ${folder}/ in ${Math.round((Date.now() - startedAt) / 1000)} s`);
}

async function release(chosen: readonly DeployedFunction[], format: string, startedAt: number): Promise<void> {
  const bar = new SingleBar({ ...LINES_ELSEWHERE, format, clearOnComplete: true }, Presets.shades_classic);
  bar.start(chosen.length, 0);
  const built = new Map<string, Bundle>();
  const waiting = chosen.values();
  const bundleInTurn = async () => {
    for (const one of waiting) {
      const directory = `${folder}/${one.name}`;
      const bundle = await bundleFunction(one.handler, directory);
      await writeBill(one.name, bundle, directory);
      await recordSources(form, [one], bundle, startedAt);
      built.set(one.name, bundle);
      bar.increment();
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, bundleInTurn));
  bar.stop();
  if (values.report) printReport(new Map(chosen.map(({ name }) => [name, built.get(name)!])));
}

/** What earlier versions or interrupted builds left. The functions' own bundles stay until each is replaced. */
async function removeOthers(): Promise<void> {
  await mkdir(folder, { recursive: true });
  const kept = [SHARED, ...functions.map(({ name }) => name)];
  const others = (await readdir(folder)).filter((name) => !kept.includes(name));
  await Promise.all(others.map((name) => rm(`${folder}/${name}`, { recursive: true })));
}
