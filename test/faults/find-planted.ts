import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { oneOf, readArguments, wholeNumber } from '#scripts/arguments.ts';
import { ensureLocalBundles } from '#scripts/build/bundles.ts';
import { worldOf } from './draw-world.ts';
import { PLANTED, type Planted } from './planted.ts';
import { play } from './play.ts';
import type { World } from './world.ts';

/*
 * npm run prove -- planted: plants faults, one at a time, in a copy of the sources, and plays worlds until one shows it
 * that shows nothing without. Ends with 1 where a minute of worlds does not.
 */

const { values } = readArguments({
  command: 'npm run prove -- planted',
  about: 'Plants faults in copies of the sources, one at a time, and looks whether the random worlds show them.',
  options: {
    only: { type: 'string', value: '<what>', about: `one of ${PLANTED.map(({ what }) => what).join('; ')}` },
    seconds: { type: 'string', default: '60', value: '<n>', about: 'how long to look for each' },
    seed: { type: 'string', default: '1', value: '<n>', about: 'the first world' },
    'at-once': { type: 'string', default: '3', value: '<n>', about: 'worlds side by side' },
  },
  examples: ['npm run prove -- planted --only "a processed entry counts twice"'],
});
const all = PLANTED.map(({ what }) => what);
const only = values.only === undefined ? undefined : oneOf('only', values.only, all);
const number = (name: 'seconds' | 'seed' | 'at-once') => wholeNumber(name, values[name], { max: 1_000_000 });

const root = fileURLToPath(new URL('../../', import.meta.url));
const PARTS = [
  'functions',
  'lib',
  'scripts',
  'sandbox',
  'deploy',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
];

const FUNCTIONS = [
  'stream-consumer',
  'stream-pause',
  'stream-redrive',
  'mdm-source-enqueue',
  'mdm-source-enqueue-batch',
];

/** Builds the functions with a fault in them. Returns their folder, and what removes it. */
function build({ file, find, replace }: Planted): { bundles: string; remove: () => void } {
  const copy = mkdtempSync(join(tmpdir(), 'planted-'));
  for (const part of PARTS) cpSync(join(root, part), join(copy, part), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  const source = readFileSync(join(copy, file), 'utf8');
  if (source.split(find).length !== 2) throw new Error(`${file} has not exactly once: ${find}`);
  writeFileSync(
    join(copy, file),
    source.replace(find, () => replace),
  );
  const { status, stderr } = spawnSync(
    process.execPath,
    ['scripts/build.ts', '--local', ...FUNCTIONS.flatMap((name) => ['--only', name])],
    {
      cwd: copy,
      encoding: 'utf8',
    },
  );
  if (status !== 0) throw new Error(`With ${replace} in ${file}, the functions cannot be built: ${stderr}`);
  return { bundles: join(copy, '.build/functions'), remove: () => rmSync(copy, { recursive: true }) };
}

interface Found {
  readonly seed: number;
  readonly fault: string;
}

const faultOf = (world: World, bundles?: string): Promise<string | undefined> =>
  play(world, { bundles }).then(
    ({ faults }) => faults[0],
    (error: unknown) => `could not be played: ${String(error)}`,
  );

/** Plays worlds that can show a planted fault until one fails that passes without it. */
async function find({ shownIn = () => true, settings }: Planted, bundles: string): Promise<Found | undefined> {
  const endsAt = performance.now() + number('seconds') * 1000;
  let found: Found | undefined;
  let next = number('seed');
  const playInTurn = async () => {
    while (performance.now() < endsAt && !found) {
      const seed = next++;
      const drawn = worldOf(seed);
      if (!shownIn(drawn)) continue;
      const world = { ...drawn, ...settings };
      const fault = await faultOf(world, bundles);
      if (fault !== undefined && !found && (await faultOf(world)) === undefined) found ??= { seed, fault };
    }
  };
  await Promise.all(Array.from({ length: number('at-once') }, playInTurn));
  return found;
}

ensureLocalBundles();
console.log('seed  seconds  planted: what the ledger says');
for (const planted of PLANTED.filter(({ what }) => only === undefined || what === only)) {
  const { bundles, remove } = build(planted);
  const startedAt = performance.now();
  const found = await find(planted, bundles);
  remove();
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(0).padStart(7);
  if (!found) process.exitCode = 1;
  console.log(`${String(found?.seed ?? '').padStart(4)}  ${seconds}  ${planted.what}: ${found?.fault ?? 'NOT FOUND'}`);
}
process.exit(); // connections to killed containers may still be half open
