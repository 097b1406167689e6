import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { oneOf, readArguments, wholeNumber } from '#scripts/arguments.ts';
import { worldOf } from './draw-world.ts';
import { PLANTED, type Planted } from './planted.ts';
import { play } from './play.ts';

/*
 * node test/faults/find-planted.ts: plants twenty faults, one at a time, in a copy of the sources, and plays worlds until
 * one shows it. Ends with 1 where sixty worlds do not.
 */

const { values } = readArguments({
  command: 'node test/faults/find-planted.ts',
  about: 'Plants faults in copies of the sources, one at a time, and looks whether the random worlds show them.',
  options: {
    only: { type: 'string', value: '<what>', about: `one of ${PLANTED.map(({ what }) => what).join('; ')}` },
    worlds: { type: 'string', default: '60', value: '<n>', about: 'most worlds for each' },
    seed: { type: 'string', default: '1', value: '<n>', about: 'the first world' },
    'at-once': { type: 'string', default: '6', value: '<n>', about: 'worlds side by side' },
  },
  examples: ['node test/faults/find-planted.ts --only "a processed entry counts twice"'],
});
const all = PLANTED.map(({ what }) => what);
const only = values.only === undefined ? undefined : oneOf('only', values.only, all);
const number = (name: 'worlds' | 'seed' | 'at-once') => wholeNumber(name, values[name], { max: 1_000_000 });

const root = new URL('../../', import.meta.url).pathname;
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

const FUNCTIONS = ['stream-consumer', 'stream-pause', 'stream-redrive', 'mdm-source-enqueue'];

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
  readonly worlds: number;
  readonly seed: number;
  readonly fault: string;
}

/** Plays worlds until one has a fault. Returns what it says. */
async function find(bundles: string): Promise<Found | undefined> {
  const found: Found[] = [];
  let worlds = 0;
  const playInTurn = async () => {
    while (found.length === 0 && worlds < number('worlds')) {
      const seed = number('seed') + worlds++;
      const fault = await play(worldOf(seed), { bundles }).then(
        ({ faults }) => faults[0],
        (error: unknown) => `could not be played: ${String(error)}`,
      );
      if (fault !== undefined) found.push({ worlds, seed, fault });
    }
  };
  await Promise.all(Array.from({ length: number('at-once') }, playInTurn));
  return found[0];
}

for (const planted of PLANTED.filter(({ what }) => only === undefined || what === only)) {
  const { bundles, remove } = build(planted);
  const startedAt = performance.now();
  const found = await find(bundles);
  remove();
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
  if (!found) process.exitCode = 1;
  const how = found ? `world ${found.worlds} (seed ${found.seed}): ${found.fault}` : 'NOT FOUND';
  console.log(`${planted.what}: ${how}, after ${seconds} s`);
}
