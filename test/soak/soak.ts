import { readArguments, wholeNumber } from '#scripts/arguments.ts';
import { ensureBundles } from '#scripts/build/bundles.ts';
import { soak } from './callers.ts';
import { soakDays } from './days.ts';
import { soakRuns } from './runs.ts';
import { startClusterWorld, startServerWorld } from './worlds.ts';

/*
 * npm run soak [-- --minutes 60]: random commands by 50 callers, half of the time on one server while connections
 * are cut, clients killed, the server restarted and the secret changed, half on a cluster while masters fail over and slots
 * move. Ends with 1 where a call hung, a connection leaked, an error was outside the table, or
 * its `retryable` was not true. With --days or --runs, the consumer in place of the commands.
 */

const { values } = readArguments({
  command: 'npm run soak',
  about: 'Sends random commands by 50 callers while connections, the server and the secret fail in turn.',
  options: {
    minutes: { type: 'string', default: '60', value: '<n>', about: 'how long' },
    days: {
      type: 'string',
      value: '<n>',
      about: 'simulated days of the consumer on sixteen shards, another fault each',
    },
    seed: { type: 'string', default: '1', value: '<n>', about: 'repeats those days' },
    runs: {
      type: 'string',
      value: '<n>',
      about: 'runs of the consumer on a real server, and what Redis keeps of them',
    },
  },
  examples: ['npm run soak -- --minutes 5', 'npm run soak -- --days 30', 'npm run soak -- --runs 10000'],
});
const number = (name: keyof typeof values) => wholeNumber(name, values[name]!, { max: 1_000_000 });
if (values.days !== undefined) {
  const month = await soakDays(number('days'), number('seed'));
  console.log({ ...month, faults: month.faults.slice(0, 20) });
  process.exitCode = month.faults.length === 0 ? 0 : 1;
} else if (values.runs !== undefined) {
  const { first, last } = await soakRuns(number('runs'));
  console.log({ first, last });
  process.exitCode = last.keys <= first.keys && last.bytes <= first.bytes ? 0 : 1;
} else {
  ensureBundles();
  const half = (number('minutes') * 60_000) / 2;
  const reports = [];
  for (const start of [startServerWorld, startClusterWorld]) {
    reports.push(await soak(await start(), half, (line) => console.log(line)));
    console.log(reports.at(-1));
  }
  process.exitCode = reports.every(({ faults }) => faults.length === 0) ? 0 : 1;
}
