import { readArguments, wholeNumber } from '../../scripts/arguments.ts';
import { ensureBundles } from '../../sandbox/stack/bundles.ts';
import { soak } from './callers.ts';
import { startClusterWorld, startServerWorld } from './worlds.ts';

/*
 * npm run soak [-- --minutes 60]: random commands by 50 callers, half of the time on one server while connections
 * are cut, clients killed, the server restarted and the secret changed, half on a cluster while masters fail over and slots
 * move. Ends with 1 where a call hung, a connection leaked, an error was outside the table, or
 * its `retryable` was not true.
 */

const { values } = readArguments({
  command: 'npm run soak',
  about: 'Sends random commands by 50 callers while connections, the server and the secret fail in turn.',
  options: { minutes: { type: 'string', default: '60', value: '<n>', about: 'how long' } },
  examples: ['npm run soak -- --minutes 5'],
});
const half = (wholeNumber('minutes', values.minutes, { max: 10_000 }) * 60_000) / 2;
ensureBundles();
const reports = [];
for (const start of [startServerWorld, startClusterWorld]) {
  reports.push(await soak(await start(), half, (line) => console.log(line)));
  console.log(reports.at(-1));
}
process.exitCode = reports.every(({ faults }) => faults.length === 0) ? 0 : 1;
