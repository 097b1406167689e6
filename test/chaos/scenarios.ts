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
}

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
      return await play(world, () => strike(world, { server, proxy }, strikes));
    } finally {
      await world.close();
      await proxy.close();
      await server.stop();
    }
  };
}

async function play(world: World, strike: () => Promise<Tolerance>): Promise<Result> {
  world.start();
  const tolerance = await strike();
  await world.drained(DRAIN_MS);
  world.ledger.checkEnd(await world.snapshot(), tolerance);
  const { ledger, kills, stops } = world;
  return { faults: ledger.faults, taken: ledger.taken, wentBack: ledger.wentBack, kills, stops };
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
      return await play(world, async () => {
        await world.send('WAIT', '1', '5000');
        await world.moreTaken(size.entries / 4);
        await redis.master.kill();
        port = redis.replica.port;
        return { rewinds: 1 }; // acknowledgements that had not reached the replica are lost
      });
    } finally {
      await world.close();
      await redis.stop();
    }
  },

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
