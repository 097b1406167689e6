import { startRedisServer, type RedisServer } from '#sandbox/redis/redis-server.ts';
import { startTcpProxy, type TcpProxy } from '../support/redis/tcp-proxy.ts';
import type { Tolerance } from './ledger.ts';
import { Random } from '#test/support/random.ts';
import { World, type WorldOptions } from './world.ts';

export interface Size {
  seed: number;
  entries: number;
  keys: number;
  /** How often the fault of the scenario strikes. */
  strikes: number;
  /** Entries of the key that has most of them. */
  hotEntries: number;
  /** Most keys that never succeed. */
  badKeys: number;
}

/** What a scenario uses. */
export interface Usage {
  /** Invocations that found something to do, those that were killed included. */
  runs: number;
  /** Submits, for each entry. */
  attempts: number;
  /** Logins, beyond one for each container that was started. */
  logins: number;
  refusedLogins: number;
  seconds: number;
}

/** What a scenario may use at most; beyond is a fault. */
export type Bounds = (size: Size) => Partial<Usage>;

export interface Result {
  faults: string[];
  used: Usage;
  bounds: Usage;
  taken: number;
  wentBack: number;
  kills: number;
  /** How the runs ended, and how often so. */
  stops: Record<string, number>;
}

export type Scenario = (size: Size) => Promise<Result>;

/** What a scenario works with. */
export interface Fixture {
  world: World;
  size: Size;
  server: RedisServer;
  proxy: TcpProxy;
}

/** What holds where a scenario says nothing else. A loaded machine may be slow, so seconds are generous. */
const BOUNDS: Usage = { runs: 30, attempts: 1.1, logins: 0, refusedLogins: 0, seconds: 120 };

/** `false`: it ends with entries left, whose order alone is checked. */
export type Outcome = Tolerance | false;

/** A scenario on one durable redis-server behind a proxy: `strike` does its worst while the containers work. */
export function onOneServer(
  options: Partial<WorldOptions> | ((size: Size) => Partial<WorldOptions>),
  strike: (fixture: Fixture) => Promise<Outcome>,
  bounds: Bounds,
): Scenario {
  return async (size) => {
    const server = await startRedisServer({ durable: true });
    const proxy = await startTcpProxy(server.port);
    const redisSecret = { url: `redis://127.0.0.1:${proxy.port}`, connectTimeoutMs: 500, commandTimeoutMs: 1000 };
    const { entries, keys, seed } = size;
    const world = await World.open({
      ...{ entries, keys, shards: 1, redisSecret, random: new Random(seed), port: () => server.port },
      ...(typeof options === 'function' ? options(size) : options),
    });
    try {
      return await play(world, () => strike({ world, size, server, proxy }), bounds(size));
    } finally {
      await world.close();
      await proxy.close();
      await server.stop();
    }
  };
}

/** Sets the containers to work, does its worst, and looks at what came of it. */
export async function play(world: World, strike: () => Promise<Outcome>, limits: Partial<Usage>): Promise<Result> {
  const bounds = { ...BOUNDS, ...limits };
  const { ledger, containers, mdm } = world;
  const startedAt = performance.now();
  world.start(bounds.seconds);
  const outcome = await strike();
  if (outcome) {
    await world.drained();
    ledger.checkEnd(await world.snapshots(), outcome);
  } else {
    ledger.checkAcknowledged(await world.snapshots());
    ledger.checkOrder();
  }
  const used: Usage = {
    runs: containers.runs + containers.kills,
    attempts: mdm.attempts / ledger.expected.length,
    logins: Math.max(0, mdm.sessions.logins - containers.started),
    refusedLogins: mdm.sessions.refusedLogins,
    seconds: (performance.now() - startedAt) / 1000,
  };
  for (const name of Object.keys(used) as (keyof Usage)[]) {
    if (used[name] > bounds[name]) ledger.faults.push(`${used[name].toFixed(2)} ${name}, at most ${bounds[name]}`);
  }
  if (containers.crashes > 0) ledger.faults.push(`${containers.crashes} containers ended by themselves`);
  const { faults, taken, wentBack } = ledger;
  return { faults, used, bounds, taken, wentBack, kills: containers.kills, stops: containers.stops };
}

/** Does something so many times, each after the target has taken some more. */
export async function repeatedly(world: World, strikes: number, act: () => Promise<unknown>): Promise<void> {
  for (let strike = 0; strike < strikes && world.ledger.progress < 1 && !world.isLate; strike++) {
    await world.moreTaken(world.random.between(1, 200));
    await act();
  }
}
