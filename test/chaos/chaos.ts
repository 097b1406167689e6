import { parseArgs } from 'node:util';
import { scenarios } from './scenarios.ts';

/*
 * npm run chaos -- [--scenario <name>] [--seed N] [--entries N] [--keys N] [--strikes N]: the packaged consumer in real
 * processes, on a real redis-server, with everything going wrong. Ends with 1 where the ledger finds a fault. A seed
 * repeats what is done when; how the processes race is theirs.
 */

const { values } = parseArgs({
  options: {
    scenario: { type: 'string' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    entries: { type: 'string', default: '20000' },
    keys: { type: 'string', default: '500' },
    strikes: { type: 'string', default: '50' },
  },
});
const names = values.scenario === undefined ? Object.keys(scenarios) : [values.scenario];
const size = {
  seed: Number(values.seed),
  entries: Number(values.entries),
  keys: Number(values.keys),
  strikes: Number(values.strikes),
};

for (const name of names) {
  const scenario = scenarios[name];
  if (!scenario) throw new Error(`There is no scenario ${name}; there are: ${Object.keys(scenarios).join(', ')}`);
  const startedAt = performance.now();
  const { faults, taken, wentBack, kills, stops } = await scenario(size);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  const outcome = faults.length === 0 ? 'ok' : `${faults.length} FAULTS`;
  console.log(
    `${outcome}  ${name}, seed ${size.seed}: ${size.entries} entries, taken ${taken} times, ${wentBack} out of order, ${kills} kills, ${seconds} s`,
  );
  console.log(
    `    ${Object.entries(stops)
      .map(([stop, count]) => `${count} × ${stop}`)
      .join(', ')}`,
  );
  for (const fault of faults.slice(0, 20)) console.log(`    ${fault}`);
  if (faults.length > 0) process.exitCode = 1;
}
