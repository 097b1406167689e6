import { setTimeout as sleep } from 'node:timers/promises';
import { redrive } from '#lib/consumer/dead-letters/redrive.ts';
import { deadLetterStreamOf } from '#lib/consumer/redis-keys.ts';
import { TargetFailure } from '#lib/consumer/targets/failure.ts';
import { Deadline } from '#lib/core/deadline.ts';
import { ConnectorError } from '#lib/core/errors.ts';
import type { Redis } from '#lib/redis/redis.ts';
import { ConsumerFixture, openRedis, recorder } from '../support/consumer/consumer-fixture.ts';

const LEASE_MS = 1000;
const SHARDS = 2;
/** So many runs are a round: one of them is cut off, and at its end all letters go back. */
const ROUND = 100;

/** What Redis keeps for a consumer. */
export interface Kept {
  keys: number;
  /** Of all keys, as MEMORY USAGE says. */
  bytes: number;
}

/**
 * Lets a consumer run again and again on a real server, with entries that fail, are given up and are put back, and with
 * runs that are cut off. Returns what Redis keeps after the first hundred runs, and at the end.
 */
export async function soakRuns(runs: number): Promise<{ first: Kept; last: Kept }> {
  const fixture = await ConsumerFixture.open();
  fixture.stream = 'soak';
  let round = 0;
  const failed = new Set<string>();
  const target = recorder((name) => {
    const [key] = name.split('=');
    if (!/^(own|refused|away)/.test(key!) || failed.has(name)) return;
    failed.add(name);
    const kind = key!.startsWith('own') ? 'own' : key!.startsWith('away') ? 'outage' : 'permanent';
    throw new TargetFailure(kind, 'SOAK', 'once');
  });
  const run = (more = {}) =>
    fixture.run(target, { shards: SHARDS, trim: true, backoffMs: 1, leaseMs: LEASE_MS, ...more });
  const add = async (shard: number, key: string, value: number) => {
    await fixture.send('XADD', `soak:${shard}`, '*', 'k', key, 'v', String(value));
  };
  const playRound = async () => {
    for (let at = 0; at < ROUND; at++) {
      const keys = [`good-${at % 7}`, ...(at % 10 === 0 ? [`own-${at}`] : []), ...(at % 10 === 5 ? [`refused-${at}`, `away-${at}`] : [])]; // prettier-ignore
      await Promise.all(keys.map((key) => add(at % SHARDS, key, round * ROUND + at)));
      if (at === ROUND / 2) await cutOff();
      else await run();
    }
    for (let shard = 0; shard < SHARDS; shard++) await putBack(`soak:${shard}`);
    await run();
    failed.clear();
    for (const list of [target.taken, target.attempted]) list.length = 0;
    round++;
  };
  const cutOff = async () => {
    const redis = openRedis(fixture.server.port);
    let isCut = false;
    const send: Redis['send'] = (command) => (isCut ? Promise.reject(away()) : redis.send(command));
    const running = run({ redis: { slotOf: () => 0, send } }).catch(() => {});
    await sleep(3);
    isCut = true;
    redis.end();
    await running;
    await sleep(LEASE_MS);
  };
  const putBack = async (stream: string) => {
    const deadLetterStream = deadLetterStreamOf(stream, fixture.group);
    const options = { stream, group: fixture.group, deadLetterStream, count: 1000, force: false, dryRun: false };
    await redrive(fixture.redis, options, Deadline.after(10_000));
  };
  try {
    await playRound();
    const first = await keptIn(fixture);
    while (round * ROUND < runs) await playRound();
    return { first, last: await keptIn(fixture) };
  } finally {
    await fixture.close();
  }
}

const away = () => new ConnectorError('STREAM:COMMAND', 'Redis is out of reach', { status: 503 });

async function keptIn({ server }: ConsumerFixture): Promise<Kept> {
  const keys = (await server.command('KEYS', '*')) as string[];
  const sizes = await Promise.all(keys.map((key) => server.command('MEMORY', 'USAGE', key, 'SAMPLES', '0')));
  return { keys: keys.length, bytes: sizes.reduce<number>((sum, size) => sum + Number(size), 0) };
}
