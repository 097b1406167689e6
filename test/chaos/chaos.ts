import { oneOf, readArguments, stop, wholeNumber } from '../../scripts/arguments.ts';
import { scenarios } from './scenarios.ts';

/*
 * npm run chaos -- [--scenario <name>] [--seed N]: the packaged consumer in real
 * processes, on a real redis-server, with everything going wrong. Ends with 1 where the ledger finds a fault. A seed
 * repeats what is done when; how the processes race is theirs.
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
  },
  examples: ['npm run chaos', 'npm run chaos -- --scenario "container killed" --entries 2000'],
});
const { names, size } = read();

function read() {
  try {
    const all = Object.keys(scenarios);
    const number = (name: 'seed' | 'entries' | 'keys' | 'strikes') =>
      wholeNumber(name, values[name], { min: 0, max: 100_000_000 });
    return {
      names: values.scenario === undefined ? all : [oneOf('scenario', values.scenario, all)],
      size: { seed: number('seed'), entries: number('entries'), keys: number('keys'), strikes: number('strikes') },
    };
  } catch (error) {
    return stop(error);
  }
}

for (const name of names) {
  const scenario = scenarios[name]!;
  const startedAt = performance.now();
  const { faults, taken, wentBack, kills, stops, runs, attempts } = await scenario(size);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  const outcome = faults.length === 0 ? 'ok' : `${faults.length} FAULTS`;
  console.log(
    `${outcome}  ${name}, seed ${size.seed}: ${size.entries} entries, taken ${taken} times, ${wentBack} out of order, ${kills} kills, ${runs} runs, ${attempts} attempts, ${seconds} s`,
  );
  console.log(
    `    ${Object.entries(stops)
      .map(([stop, count]) => `${count} × ${stop}`)
      .join(', ')}`,
  );
  for (const fault of faults.slice(0, 20)) console.log(`    ${fault}`);
  if (faults.length > 0) process.exitCode = 1;
}
