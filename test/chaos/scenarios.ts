import { setTimeout as sleep } from 'node:timers/promises';
import { startRedisSentinel } from '../support/redis-sentinel.ts';
import { startRedisServer, type RedisServer } from '../../scripts/sandbox/redis-server.ts';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';
import type { Tolerance } from './ledger.ts';
import { NO_FAULTS } from './ledger-mdm.ts';
import { Random } from './random.ts';
import { GROUP, STREAM, World, type WorldOptions } from './world.ts';

export interface Size {
  seed: number;
  entries: number;
  keys: number;
  /** How often the fault of the scenario strikes. */
  strikes: number;
}

export interface Result {
  faults: string[];
  taken: number;
  wentBack: number;
  kills: number;
  /** How the runs ended, and how often so. */
  stops: Record<string, number>;
  runs: number;
  attempts: number;
}

/** What a scenario may take at most; beyond is a fault. */
interface Bounds {
  /** Invocations, the scenario's strikes left out: runs must get on. */
  runs: number;
  /** Requests to the MDM, for each entry. */
  attempts: number;
  seconds: number;
}

/** What holds where a scenario says nothing else. A loaded machine may be slow, so seconds are generous. */
const BOUNDS: Bounds = { runs: 60, attempts: 1.5, seconds: 180 };

export type Scenario = (size: Size) => Promise<Result>;

interface Fixture {
  server: RedisServer;
  proxy: TcpProxy;
}

/** Once faults are over, what is left must be carried within so many milliseconds. */
const DRAIN_MS = 120_000;

/** A scenario on one durable redis-server behind a proxy: `strike` does its worst while the containers work. */
function onOneServer(
  options: Partial<WorldOptions>,
  strike: (world: World, fixture: Fixture, strikes: number) => Promise<Tolerance>,
  bounds: Partial<Bounds> = {},
): Scenario {
  return async ({ seed, strikes, ...size }) => {
    const server = await startRedisServer({ durable: true });
    const proxy = await startTcpProxy(server.port);
    const redisSecret = { url: `redis://127.0.0.1:${proxy.port}`, connectTimeoutMs: 500, commandTimeoutMs: 1000 };
    const world = await World.open({
      ...size,
      redisSecret,
      random: new Random(seed),
      port: () => server.port,
      ...options,
    });
    try {
      const limits = { ...BOUNDS, ...bounds, runs: (bounds.runs ?? BOUNDS.runs) + 4 * strikes };
      return await play(world, () => strike(world, { server, proxy }, strikes), limits);
    } finally {
      await world.close();
      await proxy.close();
      await server.stop();
    }
  };
}

async function play(world: World, strike: () => Promise<Tolerance>, bounds: Bounds): Promise<Result> {
  const startedAt = performance.now();
  world.start();
  const tolerance = await strike();
  await world.drained(DRAIN_MS);
  world.ledger.checkEnd(await world.snapshot(), tolerance);
  const { ledger, kills, stops, runs, mdm } = world;
  const seconds = (performance.now() - startedAt) / 1000;
  const used: Bounds = { runs, attempts: mdm.attempts / ledger.expected.length, seconds };
  for (const name of ['runs', 'attempts', 'seconds'] as const) {
    if (used[name] > bounds[name]) ledger.faults.push(`${used[name].toFixed(1)} ${name}, at most ${bounds[name]}`);
  }
  return {
    faults: ledger.faults,
    taken: ledger.taken,
    wentBack: ledger.wentBack,
    kills,
    stops,
    runs,
    attempts: mdm.attempts,
  };
}

/** Keys that never succeed, first in the stream: the others must get through at a floor of their pace, then all heals. */
function badKeys(count: number, badKeys: number | 'hang', floor: { perSecond: number; seconds: number }): Scenario {
  const options = { badKeys: count, consumer: { maxDeliveries: 1000, backoffMs: 200 } };
  const strike = async (world: World): Promise<Tolerance> => {
    world.mdm.badKeys = badKeys;
    const ms = await world.othersTaken(/^bad/);
    const most = floor.seconds + world.ledger.expected.length / floor.perSecond;
    if (ms > most * 1000)
      world.ledger.faults.push(`the others took ${(ms / 1000).toFixed(1)} s, at most ${most.toFixed(1)}`);
    world.mdm.badKeys = undefined;
    return {};
  };
  return onOneServer(options, strike, { attempts: 3 + count / 10, runs: 400 });
}

/** Does something so many times, each after the target has taken some more. */
async function repeatedly(world: World, strikes: number, act: () => Promise<unknown>): Promise<Tolerance> {
  for (let strike = 0; strike < strikes && world.ledger.progress < 1; strike++) {
    await world.moreTaken(world.random.between(1, 200));
    await act();
  }
  return {};
}

export const scenarios: Record<string, Scenario> = {
  'container killed': onOneServer({ workers: 2, consumer: { maxDeliveries: 3 } }, (world, _, strikes) =>
    repeatedly(world, strikes, async () => {
      await sleep(world.random.between(0, 40));
      await world.kill(world.random.between(0, 1));
    }),
  ),

  'redis killed and restarted': onOneServer({}, (world, { server }, strikes) =>
    repeatedly(world, strikes / 5, async () => {
      await server.kill();
      await sleep(world.random.between(0, 1500));
      await server.start();
    }),
  ),

  'redis failover': async ({ seed, ...size }) => {
    const redis = await startRedisSentinel();
    let { port } = redis.master;
    const redisSecret = {
      mode: 'sentinel',
      url: redis.url,
      nodes: redis.nodes,
      sentinelName: redis.name,
      commandTimeoutMs: 1000,
    };
    const world = await World.open({ ...size, redisSecret, random: new Random(seed), port: () => port });
    try {
      return await play(
        world,
        async () => {
          await world.send('WAIT', '1', '5000');
          await world.moreTaken(size.entries / 4);
          await redis.master.kill();
          port = redis.replica.port;
          return { rewinds: 1 }; // acknowledgements that had not reached the replica are lost
        },
        { ...BOUNDS, attempts: 2 },
      );
    } finally {
      await world.close();
      await redis.stop();
    }
  },

  '5 keys answer 503': badKeys(5, 503, { perSecond: 100, seconds: 5 }),
  '5 keys answer 500': badKeys(5, 500, { perSecond: 100, seconds: 5 }),
  '5 keys hang': badKeys(5, 'hang', { perSecond: 100, seconds: 10 }),
  '50 keys answer 503': badKeys(50, 503, { perSecond: 100, seconds: 60 }),

  'hot key': onOneServer({ hotEntries: 400 }, async (world) => {
    const ms = await world.othersTaken(/^hot$/);
    if (ms > 60_000) world.ledger.faults.push(`the others took ${ms} ms`);
    return {};
  }),

  'deadline in the middle, again and again': onOneServer({ invocationMs: 700 }, async () => ({}), { runs: 250 }),

  'lease lost under a full buffer': onOneServer({ workers: 2 }, (world, _, strikes) =>
    repeatedly(world, strikes / 5, async () => {
      const keys = await world.send<string[]>('KEYS', `{${STREAM}}:*e*:*`);
      const held = keys.filter((key) => /:(lease|fence):/.test(key));
      if (held.length > 0) await world.send('DEL', ...held);
    }),
  ),

  'network cut and stalled': onOneServer({ workers: 2 }, (world, { proxy }, strikes) =>
    repeatedly(world, strikes / 2, async () => {
      if (world.random.happens(0.5)) return proxy.cut();
      proxy.stall();
      await sleep(world.random.between(100, 1800));
      proxy.cut();
      proxy.pass();
    }),
  ),

  'mdm failing': onOneServer({}, async (world) => {
    world.mdm.faults = { refuses: 0.02, resets: 0.01, losesAnswers: 0.01, hangs: 0.001 };
    await world.moreTaken(world.ledger.expected.length * 0.8);
    world.mdm.faults = NO_FAULTS;
    return {};
  }),

  'stream trimmed': onOneServer({}, async (world, _, strikes) => {
    let trimmedTo = '0-0';
    await repeatedly(world, strikes / 10, async () => {
      const { lastDeliveredId } = await world.snapshot();
      const { expected } = world.ledger;
      const at = expected.findIndex(({ id }) => id === lastDeliveredId) + world.random.between(-50, 20);
      trimmedTo = expected[Math.max(0, Math.min(at, expected.length - 1))]!.id;
      await world.send('XTRIM', STREAM, 'MINID', trimmedTo);
    });
    const last = world.ledger.expected.findIndex(({ id }) => id === trimmedTo);
    const gone = new Set(world.ledger.expected.slice(0, last).map(({ id }) => id));
    return { mayLose: (id) => gone.has(id) };
  }),

  'group destroyed': onOneServer({}, async (world, _, strikes) => {
    let rewinds = 0;
    await repeatedly(world, Math.min(3, strikes), async () => {
      await world.moreTaken(world.ledger.expected.length / 10);
      await world.send('XGROUP', 'DESTROY', STREAM, GROUP);
      rewinds++;
    });
    return { rewinds };
  }),

  // a request that the process had begun when it was paused is sent when it goes on: see docs/consumer.md
  'container paused past its lease': onOneServer({ workers: 2 }, async (world, _, strikes) => {
    let rewinds = 0;
    await repeatedly(world, strikes / 5, async () => {
      const worker = world.workers[world.random.between(0, 1)];
      worker?.kill('SIGSTOP');
      await sleep(world.random.between(1200, 2500));
      worker?.kill('SIGCONT');
      rewinds++;
    });
    return { rewinds };
  }),

  'dead letters refused': onOneServer({}, (world, _, strikes) =>
    repeatedly(world, strikes / 5, async () => {
      await world.send('CONFIG', 'SET', 'maxmemory', '1');
      await sleep(world.random.between(50, 300));
      await world.send('CONFIG', 'SET', 'maxmemory', '0');
    }),
  ),
};
