import { mkdir, readdir, rm } from 'node:fs/promises';
import { Presets, SingleBar } from 'cli-progress';
import { writeBill } from './bill-of-materials.ts';
import { bundleFunction, bundleTogether, SHARED, type Bundle } from './bundle.ts';
import { BUNDLES, type Form } from './forms.ts';
import { functions, type DeployedFunction } from './functions.ts';
import { withLock } from './lock.ts';
import { printReport } from './report.ts';
import { recordSources, staleBundles } from './stale.ts';

/* Bundles functions. As a program, it takes what to bundle as JSON. */

/** So many bundles are made at a time; more take no less time, and all end at once. */
const AT_ONCE = 8;
/** Where stderr is no terminal, a line every three seconds. */
const LINES_ELSEWHERE = { noTTYOutput: true, notTTYSchedule: 3000, gracefulExit: false };

/** What to bundle. */
export interface Order {
  readonly form: Form;
  /** Only functions whose bundle is missing, or a source of which changed. */
  readonly stale?: boolean;
  /** List what the size of each release bundle is made of. */
  readonly report?: boolean;
  /** Only these functions. None: all. */
  readonly only: readonly string[];
}

/** Bundles functions, and says so. Another process that does the same is waited for. */
export async function makeBundles(order: Order): Promise<void> {
  if (chosenBy(order).length > 0) await withLock(`.build/${order.form}.lock`, () => buildChosen(order));
}

/** Those that are to be bundled now. */
function chosenBy({ form, stale, only }: Order): readonly DeployedFunction[] {
  const named = only.length > 0 ? functions.filter(({ name }) => only.includes(name)) : functions;
  if (!stale) return named;
  const isStale = staleBundles(form);
  return named.filter(({ name }) => isStale(name));
}

async function buildChosen(order: Order): Promise<void> {
  const chosen = chosenBy(order); // another process may have bundled some meanwhile
  const { form, report = false } = order;
  const folder = BUNDLES[form];
  if (chosen.length === functions.length) await removeOthers(folder);
  if (chosen.length === 0) return;
  const startedAt = Date.now();
  const what = `${chosen.length} ${chosen.length === 1 ? 'function' : 'functions'}`;
  if (form === 'local') {
    console.log(`Bundling ${what}…`);
    const bundle = await bundleTogether(new Map(chosen.map(({ name, handler }) => [name, handler])), folder);
    await recordSources(form, chosen, bundle, startedAt);
  } else {
    const built = await release(chosen, `Bundling ${what}… {bar} {value} of {total}`, startedAt);
    if (report) return printReport(new Map(chosen.map(({ name }) => [name, built.get(name)!])));
  }
  console.log(`Bundled ${what} into ${folder}/ in ${Math.round((Date.now() - startedAt) / 1000)} s`);
}

async function release(
  chosen: readonly DeployedFunction[],
  format: string,
  startedAt: number,
): Promise<ReadonlyMap<string, Bundle>> {
  const bar = new SingleBar({ ...LINES_ELSEWHERE, format, clearOnComplete: true }, Presets.shades_classic);
  bar.start(chosen.length, 0);
  const built = new Map<string, Bundle>();
  const waiting = chosen.values();
  const bundleInTurn = async () => {
    for (const one of waiting) {
      const directory = `${BUNDLES.release}/${one.name}`;
      const bundle = await bundleFunction(one.handler, directory);
      await writeBill(one.name, bundle, directory);
      await recordSources('release', [one], bundle, startedAt);
      built.set(one.name, bundle);
      bar.increment();
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, bundleInTurn));
  bar.stop();
  return built;
}

/** What earlier versions or interrupted builds left. The functions' own bundles stay until each is replaced. */
async function removeOthers(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const kept = [SHARED, ...functions.map(({ name }) => name)];
  const others = (await readdir(folder)).filter((name) => !kept.includes(name));
  await Promise.all(others.map((name) => rm(`${folder}/${name}`, { recursive: true })));
}

if (import.meta.main) await makeBundles(JSON.parse(process.argv[2]!) as Order);
