import { startConsole } from '../../scripts/console/server.ts';
import { setTimeout as wait } from 'node:timers/promises';
import { readArguments, stop, wholeNumber } from '../../scripts/arguments.ts';
import { Lifetime } from '../../scripts/start/lifetime.ts';
import { startStack, type Stack } from '../../scripts/start/stack.ts';
import { freePort } from '../../scripts/sandbox/redis-server.ts';
import { quantile } from './rounds.ts';

/*
 * npm run load [-- --clients 200 --seconds 60]: the local stack under many HTTP clients at a time, that mix operations.
 * Prints what each operation took; ends with 1 where any call failed.
 */

const { values } = readArguments({
  command: 'npm run load',
  about:
    'Puts the local stack under many HTTP clients at a time, that mix operations. Ends with 1 where a call failed.',
  options: {
    clients: { type: 'string', default: '200', value: '<n>', about: 'HTTP clients at a time' },
    seconds: { type: 'string', default: '60', value: '<n>', about: 'for how long' },
  },
  examples: ['npm run load', 'npm run load -- --clients 50 --seconds 10'],
});
const { clients, seconds } = readLoad();

function readLoad() {
  try {
    return {
      clients: wholeNumber('clients', values.clients, { max: 10_000 }),
      seconds: wholeNumber('seconds', values.seconds, { max: 86_400 }),
    };
  } catch (error) {
    return stop(error);
  }
}
const KEY = 'load:orders';

/** Operations that a client calls, each as often as it is listed. */
const MIX: [route: `/${string}`, parameters: (n: number) => object][] = [
  [
    '/stream/xadd',
    (n) => ({ key: KEY, entry: { order: String(n), status: 'paid' }, evictionOption: { maxLength: 10_000 } }),
  ],
  ['/stream/xadd', (n) => ({ key: KEY, entry: { order: String(n), status: 'sent' } })],
  ['/stream/xrange', () => ({ key: KEY, start: '-', end: '+', count: 10 })],
  ['/stream/xinfo-groups', () => ({ key: KEY })],
  ['/mdm/source-enqueue', (n) => ({ ...keyOf(n), record: cityOf(n) })],
  ['/mdm/source-submit', (n) => ({ ...keyOf(n), record: cityOf(n) })],
  ['/mdm/master-read', () => keyOf(0)],
];
const keyOf = (n: number) => ({ businessEntity: 'c360.city', sourceSystem: 'geonames', sourcePKey: String(n % 1000) });
const cityOf = (n: number) => ({ name: `City ${n % 1000}`, country: { Code: 'DE' } });

const times = new Map<string, number[]>(MIX.map(([route]) => [route, []]));
const faults: string[] = [];

async function callInTurn(post: Stack['post'], first: number, until: number): Promise<void> {
  for (let n = first; performance.now() < until; n++) {
    const [route, parameters] = MIX[n % MIX.length]!;
    const startedAt = performance.now();
    await post(route, parameters(n)).catch((error: unknown) => faults.push(String(error)));
    times.get(route)!.push(performance.now() - startedAt);
  }
}

function print(seconds: number): void {
  console.log('\noperation                calls      p50 ms      p99 ms');
  for (const [route, ms] of times) {
    const [p50, p99] = [0.5, 0.99].map((share) => quantile(ms, share).toFixed(0).padStart(12));
    console.log(`${route.padEnd(22)}${String(ms.length).padStart(8)}${p50}${p99}`);
  }
  const calls = [...times.values()].reduce((sum, ms) => sum + ms.length, 0);
  console.log(`\n${clients} clients, ${seconds.toFixed(0)} s: ${(calls / seconds).toFixed(0)} calls a second`);
  console.log(`${faults.length} faults${faults.length > 0 ? `, the first: ${faults[0]}` : ''}`);
}

const lifetime = new Lifetime();
process.exit(
  await lifetime.run(async () => {
    const stack = await startStack({ http: await freePort(), lambda: await freePort() }, lifetime, startConsole);
    await stack.post('/mdm/source-submit', { ...keyOf(0), record: cityOf(0) });
    const startedAt = performance.now();
    const until = startedAt + seconds * 1000;
    const calling = Array.from({ length: clients }, async (_, client) => {
      await wait(client * 10); // spread their starts
      await callInTurn(stack.post, client, until);
    });
    await Promise.all(calling);
    print((performance.now() - startedAt) / 1000);
    return faults.length === 0 ? 0 : 1;
  }),
);
