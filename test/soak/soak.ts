import { parseArgs } from 'node:util';
import { soak } from './callers.ts';

/*
 * npm run soak [-- --minutes 60]: random commands by 50 callers while connections are cut, clients killed, the server
 * restarted and the secret changed. Ends with 1 where a call hung, a connection leaked, an error was outside the table, or
 * its `retryable` was not true.
 */

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '60' } } });
const report = await soak(Number(values.minutes) * 60_000, (line) => console.log(line));
console.log(report);
process.exitCode = report.faults.length === 0 ? 0 : 1;
