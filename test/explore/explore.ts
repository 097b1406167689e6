import { oneOf, readArguments, wholeNumber } from '../../scripts/arguments.ts';
import { Explorer, scopes } from './scopes.ts';

/*
 * npm run explore [-- --scope <name>]: plays every schedule of a few runs with few entries, over the real scripts on a
 * real redis-server. Ends with 1 where a promise is broken, and prints the schedule that breaks it.
 */

const { values } = readArguments({
  command: 'npm run explore',
  about: 'Plays every schedule of two runs, a producer and an operator with two entries, on a real redis-server.',
  options: {
    scope: { type: 'string', value: '<name>', about: `one of ${Object.keys(scopes).join('; ')}; else all` },
    seconds: { type: 'string', default: '600', value: '<n>', about: 'how long, for all scopes together' },
  },
  examples: ['npm run explore', 'npm run explore -- --scope "two runs, one key, stop"'],
});
const all = Object.keys(scopes);
const names = values.scope === undefined ? all : [oneOf('scope', values.scope, all)];
const endsAt = performance.now() + wholeNumber('seconds', values.seconds, { max: 100_000 }) * 1000;
const explorer = await Explorer.open();
for (const [at, name] of names.entries()) {
  const startedAt = performance.now();
  const ms = (endsAt - startedAt) / (names.length - at);
  const { states, transitions, ends, isWhole, fault } = await explorer.explore(scopes[name]!, ms);
  const outcome = fault ? 'FAULT' : isWhole ? 'all  ' : 'part ';
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  console.log(`${outcome} ${name}: ${states} states, ${transitions} transitions, ${ends} ends in ${seconds} s`);
  if (!fault) continue;
  process.exitCode = 1;
  console.log(`  ${fault.what}`);
  for (const line of await explorer.tell(scopes[name]!, fault.path)) console.log(`    ${line}`);
}
await explorer.close();
