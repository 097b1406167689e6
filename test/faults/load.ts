import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { readArguments, wholeNumber } from '#scripts/arguments.ts';
import { startConsole } from '#sandbox/console/server.ts';
import { freePort } from '#sandbox/network/free-port.ts';
import { startRedisServer, type RedisServer } from '#sandbox/redis/redis-server.ts';
import { Lifetime } from '#sandbox/stack/lifetime.ts';
import { startStack, type Stack } from '#sandbox/stack/stack.ts';
import { quantile } from '#test/bench/rounds.ts';
import { cityOf, keyOf, MIX } from './mix.ts';
import { plotLoad } from './plot.ts';
import { CallRecord, FLAT, growthOf, SAMPLE_MS, type Outage } from './record.ts';

/*
 * npm run prove -- load [--minutes 10 --clients 50 --plot docs/load.svg]: the local stack under many HTTP clients who
 * mix operations, while Redis and the MDM are killed by turns. Ends with 1 where an error had no type, or where p99 or
 * the memory of the functions grew.
 */

/** From one kill to the next, how long the killed part is away, and what is too short to judge. */
const [KILL_EVERY_MS, AWAY_MS, JUDGED_FROM_MINUTES] = [45_000, 3_000, 5];
/** Samples count only this many minutes after the start, and after an outage. */
const SETTLED_MINUTES = 0.25;
const MINUTE = 60_000;
/** The heap that Node has in a function of 512 MB: on a larger machine, it would let garbage pile up to gigabytes. */
const HEAP_MB = 400;

const { values } = readArguments({
  command: 'npm run prove -- load',
  about:
    'Puts the local stack under many HTTP clients, who mix operations, while Redis and the MDM are killed by turns.',
  options: {
    minutes: { type: 'string', default: '10', value: '<n>', about: 'for how long' },
    clients: { type: 'string', default: '50', value: '<n>', about: 'HTTP clients at a time' },
    calm: { type: 'boolean', about: 'kill nothing' },
    plot: { type: 'string', value: '<file>', about: 'draw the run as an SVG; docs/load.svg is made so' },
  },
  examples: ['npm run prove -- load --minutes 2', 'npm run prove -- load --plot docs/load.svg'],
});
const clients = wholeNumber('clients', values.clients, { max: 10_000 });
const minutes = wholeNumber('minutes', values.minutes, { max: 1440 });
const record = new CallRecord();
const outages: Outage[] = [];
const startedAt = performance.now();
let beganAt = startedAt;
const minute = () => (performance.now() - beganAt) / MINUTE;

async function callInTurn(url: string, first: number): Promise<void> {
  for (let n = first; minute() < minutes; n++) {
    const [route, parameters] = MIX[n % MIX.length]!;
    const calledAt = performance.now();
    const headers = { 'content-type': 'application/json' };
    try {
      const response = await fetch(url + route, { method: 'POST', headers, body: JSON.stringify(parameters(n)) });
      const text = await response.text();
      if (response.ok) record.succeeded(route, performance.now() - calledAt);
      else record.failed(route, response.status, text);
    } catch (error) {
      record.failed(route, 0, String(error));
    }
  }
}

async function killByTurns(redis: RedisServer, mdm: Stack['mdm']): Promise<void> {
  for (let index = 1; (index * KILL_EVERY_MS + 2 * AWAY_MS) / MINUTE < minutes; index++) {
    await wait(Math.max(0, beganAt + index * KILL_EVERY_MS - performance.now()));
    const [what, from] = [index % 2 === 1 ? ('Redis' as const) : ('MDM' as const), minute()];
    if (what === 'Redis') await redis.kill();
    else mdm.misbehave({ reset: true, times: Infinity });
    await wait(AWAY_MS);
    if (what === 'Redis') await redis.start();
    else {
      mdm.sessions.expireAll(); // it restarts, and has forgotten all sessions
      mdm.behave();
    }
    outages.push({ what, from, to: minute() });
  }
}

/** Memory of the process that runs the functions, a child of this one. */
function memoryMb(): number {
  const processes = execFileSync('ps', ['-A', '-o', 'ppid=,rss=,args='], { encoding: 'utf8' });
  const childLine = processes
    .split('\n')
    .find((line) => Number.parseInt(line) === process.pid && line.includes(' offline '));
  return (Number(childLine?.trim().split(/\s+/)[1] ?? NaN) * 1024) / 1e6;
}

async function sample(): Promise<void> {
  for (let index = 1; minute() < minutes; index++) {
    await wait(Math.max(0, beganAt + index * SAMPLE_MS - performance.now()));
    record.sample(minute(), memoryMb());
  }
}

function report(): number {
  console.log('\noperation                calls      p50 ms      p99 ms');
  for (const [route, ms] of record.times) {
    const [p50, p99] = [0.5, 0.99].map((share) => quantile(ms, share).toFixed(0).padStart(12));
    console.log(`${route.padEnd(22)}${String(ms.length).padStart(8)}${p50}${p99}`);
  }
  const calls = [...record.times.values()].reduce((sum, ms) => sum + ms.length, 0);
  const growth = growthOf(record.samples, outages, SETTLED_MINUTES);
  console.log(
    `\n${clients} clients, ${minutes} minutes: ${(calls / minutes / 60).toFixed(0)} calls a second succeeded`,
  );
  const failures = [...record.failures].map((pair) => pair.join(' ')).join(', ');
  console.log(`${outages.length} outages; failures: ${failures || 'none'}`);
  console.log(`without a type: ${record.untyped.length}${record.untyped.map((text) => `\n  ${text}`).join('')}`);
  console.log(`from the first third to the last: p99 × ${growth.p99.toFixed(2)}, memory × ${growth.memory.toFixed(2)}`);
  if (values.plot) {
    const caption = `${minutes} minutes, ${clients} clients, ${(calls / minutes / 60).toFixed(0)} calls a second`;
    writeFileSync(values.plot, plotLoad(record.samples, outages, caption));
  }
  const isFlat = minutes < JUDGED_FROM_MINUTES || (growth.p99 <= FLAT && growth.memory <= FLAT);
  return record.untyped.length === 0 && isFlat ? 0 : 1;
}

const lifetime = new Lifetime();
process.exit(
  await lifetime.run(async () => {
    const redis = await startRedisServer({ durable: true });
    lifetime.onClose(() => redis.stop());
    process.env.REDIS_URL = redis.url;
    process.env.NODE_OPTIONS = `--max-old-space-size=${HEAP_MB}`;
    const http = await freePort();
    const stack = await startStack({ ports: { http, lambda: await freePort() } }, lifetime, startConsole);
    await stack.post('/mdm/source-submit', { ...keyOf(0), record: cityOf(0) });
    await stack.post('/stream/xgroup-create', { key: 'load:orders', group: 'load', mkstream: true });
    beganAt = performance.now();
    const calling = Array.from({ length: clients }, async (_, client) => {
      await wait(client * 10); // they do not come all at once
      await callInTurn(`http://localhost:${http}`, client);
    });
    await Promise.all([...calling, sample(), ...(values.calm ? [] : [killByTurns(redis, stack.mdm)])]);
    return report();
  }),
);
