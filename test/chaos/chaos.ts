import { oneOf, readArguments, wholeNumber } from '#scripts/arguments.ts';
import { ensureBundles } from '#scripts/build/bundles.ts';
import type { Result, Size, Usage } from './play.ts';
import { scenarios } from './scenarios.ts';

/*
 * npm run chaos -- [--scenario <name>] [--seed N]: the packaged consumer in real processes, on a real redis-server, with
 * everything going wrong. Ends with 1 where the ledger finds a fault, or a bound is passed. A seed repeats what is done
 * when; how the processes race is theirs.
 */

const { values } = readArguments({
  command: 'npm run chaos',
  about: 'Runs the packaged consumer in real processes, on a real redis-server, with everything going wrong.',
  options: {
    scenario: { type: 'string', value: '<name>', about: `one of ${Object.keys(scenarios).join(', ')}; else all` },
    seed: { type: 'string', default: String(Date.now() % 1_000_000), value: '<n>', about: 'repeats what is done when' },
    entries: { type: 'string', default: '20000', value: '<n>', about: 'entries of the stream' },
    keys: { type: 'string', default: '500', value: '<n>', about: 'keys among them' },
    strikes: { type: 'string', default: '50', value: '<n>', about: 'faults made' },
    'hot-entries': { type: 'string', default: '100000', value: '<n>', about: 'entries of one key with most of them' },
    'bad-keys': { type: 'string', default: '1000', value: '<n>', about: 'most keys that never succeed' },
  },
  examples: ['npm run chaos', 'npm run chaos -- --scenario "container killed" --entries 2000'],
});
const all = Object.keys(scenarios);
const names = values.scenario === undefined ? all : [oneOf('scenario', values.scenario, all)];
const number = (name: keyof typeof values) => wholeNumber(name, values[name]!, { min: 0, max: 100_000_000 });
const size: Size = {
  ...{ seed: number('seed'), entries: number('entries'), keys: number('keys') },
  ...{ strikes: number('strikes'), hotEntries: number('hot-entries'), badKeys: number('bad-keys') },
};
ensureBundles();

/** What was used, and what was allowed. */
const usage = ({ used, bounds }: Result) =>
  (Object.keys(used) as (keyof Usage)[])
    .map((name) => `${Number(used[name].toFixed(2))} of ${Number(bounds[name].toFixed(2))} ${name}`)
    .join(', ');

for (const name of names) {
  const result = await scenarios[name]!(size);
  const { faults, taken, wentBack, kills, stops } = result;
  const outcome = faults.length === 0 ? 'ok' : `${faults.length} FAULTS`;
  console.log(`${outcome}  ${name}, seed ${size.seed}: taken ${taken} times, ${wentBack} out of order, ${kills} kills`);
  console.log(`    ${usage(result)}`);
  const ends = Object.entries(stops).map(([stop, count]) => `${count} × ${stop}`);
  console.log(`    ${ends.join(', ')}`);
  for (const fault of faults.slice(0, 20)) console.log(`    ${fault}`);
  if (faults.length > 0) process.exitCode = 1;
}
