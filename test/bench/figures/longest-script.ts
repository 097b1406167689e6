import { createClient } from 'redis';
import { setTimeout as sleep } from 'node:timers/promises';
import { letterWords } from '#test/support/consumer/letter-words.ts';
import { deadLetterStreamOf } from '#lib/consumer/redis-keys.ts';
import type { RedisServer } from '#sandbox/redis/redis-server.ts';
import { ENGINE_SETTINGS } from '../carry.ts';
import type { Figure } from '../figure.ts';
import type { Bench } from '../fixture.ts';
import { removeStreams } from '../streams.ts';

const COUNT = 1_000_000;
const ROUNDS = 3;
/** Entries that one script of the bench writes, and ids of an XCLAIM: as many as it takes. */
const MANY = 100_000;
const [base, group] = ['bench:longest', 'bench'];
const [pending, fresh] = [`${base}:0`, `${base}:1`];
const letters = deadLetterStreamOf(pending, group);

/** KEYS stream; ARGV first, last, name of the keys, fields… */
const FILL = `for at = ARGV[1], ARGV[2] do
  redis.call('XADD', KEYS[1], at .. '-0', 'sourcePKey', ARGV[3] .. at, 'record', string.rep('x', 100), unpack(ARGV, 4))
end`;
/** KEYS stream; ARGV group. Delivers all of it. */
const DELIVER = `redis.call('XGROUP', 'CREATE', KEYS[1], ARGV[1], '0')
repeat
  local read = redis.call('XREADGROUP', 'GROUP', ARGV[1], 'crashed', 'COUNT', 1000, 'STREAMS', KEYS[1], '>')
until not read`;

/**
 * The longest of our scripts on a stream with a million entries, as many pending ones and as many dead letters, by the
 * server's slow log; and the longest that a PING of another client waits meanwhile.
 */
export const longestScript: Figure = {
  name: 'longest-script',
  ids: ['longest-script', 'longest-ping'],
  async measure(bench) {
    const [scripts, pings]: [number[], number[]] = [[], []];
    bench.build(); // which would disturb the measurement
    for (let round = 0; round < (bench.isQuick ? 1 : ROUNDS); round++) {
      await fill(bench.redis);
      await configure(bench.redis, { slowerThan: 500, most: 100_000 });
      const pinging = startPinging(bench.redis.url);
      await call(bench);
      pings.push(await pinging.stop());
      scripts.push(await longest(bench.redis));
      await configure(bench.redis, { slowerThan: 10_000, most: 128 });
      await removeStreams(bench.redis, pending, fresh, letters);
    }
    return [
      { id: 'longest-script', values: scripts },
      { id: 'longest-ping', values: pings },
    ];
  },
};

async function fill(redis: RedisServer): Promise<void> {
  const letter = { sourceId: '1-0', reason: 'r', errorType: 'MDM:CLIENT_ERROR', deliveries: 1, time: 0 };
  const own = letterWords({ stream: pending, group }, letter);
  for (const [key, name, ...fields] of [
    [pending, 'k'],
    [fresh, 'k'],
    [letters, 'l', ...own],
  ] as const) {
    for (let first = 1; first <= COUNT; first += MANY) {
      const range = [first, first + MANY - 1].map(String);
      await redis.command('EVAL', FILL, '1', key, ...range, name, ...fields);
    }
  }
  await redis.command('XGROUP', 'CREATE', fresh, group, '0');
  await redis.command('EVAL', DELIVER, '1', pending, group);
}

/** Each operation that has a script, with the most that it takes; then a run of the consumer. */
async function call({ invoke, bundleOf, engine }: Bench): Promise<void> {
  const read = (key: string, id: string) => ({ group, consumer: 'crashed', streamWatermarks: [{ key, id }] });
  const claim = { key: pending, group, consumer: 'bench', minIdleMs: 0 };
  const calls: [name: string, event: object][] = [
    ['stream-xreadgroup', read(fresh, '>')],
    ['stream-xreadgroup', read(pending, '0')],
    ['stream-xclaim', { ...claim, ids: Array.from({ length: MANY }, (_, at) => `${at + 1}-0`) }],
    ['stream-xautoclaim', { ...claim, count: 10_000 }],
    ['stream-xautoclaim', { ...claim, minIdleMs: 3_600_000, count: 10_000 }],
    ['stream-status', { stream: base, shards: 1, group }],
    ['stream-redrive', { stream: pending, group, count: 10_000 }],
  ];
  for (const [name, event] of calls) await invoke(bundleOf(name), [event]);
  await invoke(engine, [{ stream: pending, group, ...ENGINE_SETTINGS, backoffMs: 1 }], { remainingMs: 5000 });
}

async function configure(redis: RedisServer, { slowerThan, most }: { slowerThan: number; most: number }) {
  await redis.command('CONFIG', 'SET', 'slowlog-log-slower-than', String(slowerThan), 'slowlog-max-len', String(most));
  await redis.command('SLOWLOG', 'RESET');
}

/** The longest script of the slow log, in milliseconds. */
async function longest(redis: RedisServer): Promise<number> {
  const log = (await redis.command('SLOWLOG', 'GET', '-1')) as [
    id: number,
    at: number,
    micros: number,
    words: string[],
  ][];
  const scripts = log.filter(([, , , [command]]) => /^EVAL/i.test(command!));
  return Math.max(...scripts.map(([, , micros]) => micros)) / 1000;
}

/** Asks for a sign of life each millisecond; `stop` gives the longest wait, in milliseconds. */
function startPinging(url: string): { stop(): Promise<number> } {
  let isOver = false;
  const pinging = (async () => {
    const client = await createClient({ url }).connect();
    let most = 0;
    while (!isOver) {
      const askedAt = performance.now();
      await client.ping();
      most = Math.max(most, performance.now() - askedAt);
      await sleep(1);
    }
    client.destroy();
    return most;
  })();
  return {
    stop() {
      isOver = true;
      return pinging;
    },
  };
}
