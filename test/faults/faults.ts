import { availableParallelism } from 'node:os';
import { readArguments, wholeNumber } from '#scripts/arguments.ts';
import { ensureLocalBundles } from '#scripts/build/bundles.ts';
import { playMdmCallers } from './mdm-callers.ts';
import { playStreamCallers } from './stream-callers.ts';
import { play, type Played } from './play.ts';
import { worldOf } from './draw-world.ts';

/*
 * npm run prove -- faults [--worlds 2000] [--seed N]: random worlds, each with the packaged consumer in real processes
 * on a real Redis, with what goes wrong there. Ends with 1 where the ledger finds a fault. A seed alone plays its world
 * again.
 */

const { values } = readArguments({
  command: 'npm run prove -- faults',
  about: 'Plays random worlds: the packaged consumer in real processes, on a real Redis, with everything going wrong.',
  options: {
    worlds: { type: 'string', value: '<n>', about: 'how many, from the seed on; default 60, with a seed 1' },
    seed: { type: 'string', value: '<n>', about: 'the first one' },
    'at-once': {
      type: 'string',
      default: String(4 * availableParallelism()),
      value: '<n>',
      about: 'worlds side by side',
    },
    timed: { type: 'boolean', about: 'judge times too: on a machine at rest, with few worlds side by side' },
    callers: {
      type: 'string',
      value: '<minutes>',
      about: 'fifty callers instead, a third of the time each: of streams on a server, on a cluster, of the MDM',
    },
    tell: { type: 'boolean', about: 'print what each world is, and what happened when' },
  },
  examples: ['npm run prove -- faults --worlds 2000', 'npm run prove -- faults --seed 17 --tell'],
});
const seed =
  values.seed === undefined ? Date.now() % 1_000_000 : wholeNumber('seed', values.seed, { min: 0, max: 1e9 });
const worlds = wholeNumber('worlds', values.worlds ?? (values.seed === undefined ? '60' : '1'), { max: 1_000_000 });
const atOnce = wholeNumber('at-once', values['at-once'], { max: 100 });
ensureLocalBundles();

if (values.callers !== undefined) {
  await playAllCallers((wholeNumber('callers', values.callers, { max: 10_000 }) * 60_000) / 3);
  process.exit();
}

async function playAllCallers(ms: number): Promise<void> {
  const options = { ms, seed, print: (line: string) => console.log(line) };
  for (const play of [
    () => playStreamCallers('server', options),
    () => playStreamCallers('cluster', options),
    () => playMdmCallers(options),
  ]) {
    const report = await play();
    console.log(report);
    if (report.faults.length > 0) process.exitCode = 1;
  }
}

const startedAt = performance.now();
const seconds = () => ((performance.now() - startedAt) / 1000).toFixed(0);
const left = Array.from({ length: worlds }, (_, index) => seed + index);
const played: Played[] = [];
const isOne = worlds === 1 || values.tell;
await Promise.all(
  Array.from({ length: Math.min(atOnce, worlds) }, async () => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      const one = await play(worldOf(next), { isTimed: values.timed }).catch((error: unknown) => {
        console.log(`seed ${next} could not be played`, error);
        process.exitCode = 1;
      });
      if (!one) continue;
      played.push(one);
      if (played.length % 100 === 0) console.log(`${played.length} played, ${seconds()} s`);
      if (one.faults.length > 0) process.exitCode = 1;
      if (one.faults.length > 0 || isOne) print(one);
    }
  }),
);

function print({ world, faults, journal, ...figures }: Played): void {
  const { seed, troubles, ...settings } = world;
  const names = [...new Set(troubles.map(({ name }) => name))].join(', ') || 'no trouble';
  console.log(`${faults.length === 0 ? 'ok' : `${faults.length} FAULTS`}  seed ${seed}: ${names}`);
  for (const fault of faults.slice(0, isOne ? 100 : 5)) console.log(`    ${fault}`);
  if (!isOne) return;
  console.log(JSON.stringify(settings));
  console.log(figures);
  for (const line of journal) console.log(`    ${line}`);
}

const faulty = played.filter(({ faults }) => faults.length > 0);
const starved = played.filter(({ isStarved }) => isStarved).length;
const entries = played.reduce((sum, { world }) => sum + world.entries, 0);
console.log(
  `${played.length} worlds from seed ${seed} in ${seconds()} s, ${entries} entries: ${faulty.length} with faults, ${starved} judged in part`,
);
if (faulty.length > 0)
  console.log(
    `seeds ${faulty
      .map(({ world }) => world.seed)
      .sort((a, b) => a - b)
      .join(' ')}`,
  );
process.exit(); // connections to killed containers may still be half open
