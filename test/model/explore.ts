import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { oneOf, readArguments, wholeNumber } from '#scripts/arguments.ts';
import { playDays } from './days.ts';
import { Explorer, scopes } from './scopes.ts';

/*
 * npm run prove -- explore [--scope <name> | --days <n>]: plays every schedule of a few runs with few entries, over the
 * real scripts on a real redis-server. Ends with 1 where a promise is broken, and prints the schedule that breaks it.
 * The largest scope has 20 million states, hence the heap that scripts/check/proofs.ts asks for.
 */

const { values } = readArguments({
  command: 'npm run prove -- explore',
  about: 'Plays the schedules of two runs, a producer and an operator with two entries, on a real redis-server.',
  options: {
    scope: { type: 'string', value: '<name>', about: `one of ${Object.keys(scopes).join('; ')}; else all` },
    seconds: { type: 'string', default: '600', value: '<n>', about: 'how long, for all scopes together' },
    days: { type: 'string', value: '<n>', about: 'days in virtual time on sixteen shards instead, another fault each' },
    seed: { type: 'string', default: '1', value: '<n>', about: 'repeats those days' },
  },
  examples: [
    'npm run prove -- explore',
    'npm run prove -- explore --scope "two runs, one key, stop"',
    'npm run prove -- explore --days 30',
  ],
});
const all = Object.keys(scopes);
const endsAt = performance.now() + wholeNumber('seconds', values.seconds, { max: 100_000 }) * 1000;
const secondsLeft = () => Math.max(1, (endsAt - performance.now()) / 1000);
if (values.days !== undefined) await playMonth(wholeNumber('days', values.days, { max: 10_000 }));
else if (values.scope === undefined) await exploreAll();
else await exploreOne(oneOf('scope', values.scope, all));

/**
 * A process for each scope, as many at a time as there are cores. Each gets its share of the time that is left, so that
 * what the small ones leave goes to the large ones.
 */
async function exploreAll(): Promise<void> {
  const left = [...all];
  const cores = availableParallelism();
  const work = async () => {
    for (let name = left.shift(); name !== undefined; name = left.shift()) {
      const seconds = Math.ceil(secondsLeft() * Math.min(1, cores / (left.length + 1)));
      const args = [...process.execArgv, fileURLToPath(import.meta.url), '--scope', name, '--seconds', String(seconds)];
      const [code] = (await once(spawn(process.execPath, args, { stdio: 'inherit' }), 'exit')) as [number | null];
      if (code !== 0) process.exitCode = 1;
    }
  };
  await Promise.all(Array.from({ length: cores }, work));
}

async function playMonth(days: number): Promise<void> {
  const { faults, ...month } = await playDays(days, wholeNumber('seed', values.seed, { max: 1e9 }));
  console.log(month);
  for (const fault of faults.slice(0, 20)) console.log(fault);
  if (faults.length > 0) process.exitCode = 1;
}

async function exploreOne(name: string): Promise<void> {
  const scope = scopes[name]!;
  const startedAt = performance.now();
  const explorer = await Explorer.open();
  const { states, transitions, ends, isWhole, fault } = await explorer.explore(scope, () => performance.now() > endsAt);
  const outcome = fault ? 'FAULT' : isWhole ? 'all  ' : 'part ';
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  console.log(`${outcome} ${name}: ${states} states, ${transitions} transitions, ${ends} ends in ${seconds} s`);
  if (fault) {
    process.exitCode = 1;
    console.log(`  ${fault.what}`);
    for (const line of fault.trace) console.log(`    ${line}`);
  }
  await explorer.close();
}
