import { setTimeout as sleep } from 'node:timers/promises';
import type { ConnectorError } from '#lib/core/errors.ts';
import { slotOf } from '#lib/redis/slot.ts';
import { startRedisServer, type RedisServer } from '#sandbox/redis/redis-server.ts';
import { openRedis } from '#test/support/consumer/consumer-fixture.ts';
import { moveSlot, PASSWORD, startRedisCluster } from '#test/support/redis/redis-cluster.ts';
import { startRedisSentinel } from '#test/support/redis/redis-sentinel.ts';
import { startTcpProxy, type TcpProxy } from '#test/support/redis/tcp-proxy.ts';
import { until } from '#test/support/until.ts';
import type { World } from './world.ts';

/** The Redis of a world, as functions and operators reach it. */
export interface Servers {
  /** For the secret, with a user and password where there is one server. */
  secretFor(login: string | undefined): object;
  /** The server that has the keys of this stream now, past any proxy. */
  readonly send: <T>(key: string, ...args: string[]) => Promise<T>;
  /** Sends a command to every server. */
  readonly everywhere: (...args: string[]) => Promise<unknown[]>;
  /** One server, and the way to it. */
  readonly single: { server: RedisServer; proxy: TcpProxy } | undefined;
  /** The ways of the functions to the masters of a cluster; none to other servers. */
  readonly masters: readonly TcpProxy[];
  /** Lets another server take over. */
  failOver(): Promise<void>;
  /** Moves the slot of this stream to another master, key by key, with a pause before each. */
  moveSlot(stream: string, pause: () => Promise<unknown>): Promise<void>;
  stop(): Promise<void>;
}

/** When the functions give up a command, where Redis has troubles; else as by default, for the machine may be busy. */
const COMMAND_MS = 1000;

/** @param fails whether Redis is to let the functions down */
export function startServers({ redis, linkMs }: Pick<World, 'redis' | 'linkMs'>, fails: boolean): Promise<Servers> {
  const bound = fails ? { connectTimeoutMs: 500, commandTimeoutMs: COMMAND_MS } : {};
  if (redis === 'sentinel') return startSentinel(bound);
  return redis === 'cluster' ? startCluster(bound, linkMs) : startSingle(bound, linkMs);
}

/** The server is not the one for the key, or not at the moment; or it was out of reach. */
const ELSEWHERE = /^(MOVED|ASK|TRYAGAIN|CLUSTERDOWN|LOADING|READONLY|CLOSED)$/;

type Client = ReturnType<typeof openRedis>;

/** Commands of the harness, on one connection to each server. */
class Clients {
  readonly #clients = new Map<number, Client>();

  async send<T>(port: number, key: string, args: string[], login = ''): Promise<T> {
    const client = this.#clients.get(port) ?? openRedis(port, 10_000, login);
    this.#clients.set(port, client);
    return client.send({ key, args, decode: (reply) => reply as T });
  }

  end(): void {
    for (const client of this.#clients.values()) client.end();
  }
}

async function startSingle(bound: object, linkMs: number): Promise<Servers> {
  const server = await startRedisServer({ durable: true });
  const proxy = await startTcpProxy(server.port);
  proxy.delay(linkMs);
  const clients = new Clients();
  return {
    secretFor: (login) => ({ url: `redis://${login ? `${login}@` : ''}127.0.0.1:${proxy.port}`, ...bound }),
    send: (key, ...args) => clients.send(server.port, key, args),
    everywhere: (...args) => Promise.all([server.command(...args)]),
    single: { server, proxy },
    masters: [],
    failOver: none,
    moveSlot: none,
    async stop() {
      clients.end();
      await proxy.close();
      await server.stop();
    },
  };
}

async function startSentinel(bound: object): Promise<Servers> {
  const redis = await startRedisSentinel();
  const { url, nodes, name: sentinelName } = redis;
  const clients = new Clients();
  let { port } = redis.master;
  return {
    secretFor: () => ({ mode: 'sentinel', url, nodes, sentinelName, ...bound }),
    send: (key, ...args) => clients.send(port, key, args),
    everywhere: (...args) => Promise.all([redis.master, redis.replica].map((server) => server.command(...args))),
    single: undefined,
    masters: [],
    async failOver() {
      await clients.send(port, '', ['WAIT', '1', '5000']);
      await redis.master.kill();
      port = redis.replica.port;
      await until(async () => String(await redis.replica.command('INFO', 'replication')).includes('role:master'));
    },
    moveSlot: none,
    async stop() {
      clients.end();
      await redis.stop();
    },
  };
}

async function startCluster(bound: object, linkMs: number): Promise<Servers> {
  const redis = await startRedisCluster();
  const [first, second, third] = redis.masters as [RedisServer, RedisServer, RedisServer];
  const proxies = await Promise.all(redis.masters.map(({ port }) => startTcpProxy(port)));
  for (const proxy of proxies) proxy.delay(linkMs);
  const ports = redis.masters.map(({ port }, at) => [port, proxies[at]!.port] as const);
  const nodeAddressMap = Object.fromEntries(ports.map(([port, way]) => [`127.0.0.1:${port}`, `127.0.0.1:${way}`]));
  const nodes = redis.nodes.map((url) => ports.reduce((at, [port, way]) => at.replace(`:${port}`, `:${way}`), url));
  const servers = [...redis.masters, redis.replica];
  // troubles alone fail it over: a master without a moment to answer would lose what it has acknowledged
  for (const server of servers) await server.command('CONFIG', 'SET', 'cluster-replica-no-failover', 'yes');
  const clients = new Clients();
  const login = `:${PASSWORD}@`;
  const isMaster = async (server: RedisServer) =>
    String(await server.command('INFO', 'replication')).includes('role:master');
  /** Tries each server in turn: all but one redirect. */
  const send = async <T>(key: string, ...args: string[]): Promise<T> => {
    let failure: unknown;
    for (let tries = 0; tries < 100; tries++) {
      const server = servers[tries % servers.length]!;
      try {
        return await clients.send<T>(server.port, key, args, login);
      } catch (error) {
        failure = error;
        if (!ELSEWHERE.test((error as ConnectorError).upstreamCode ?? 'CLOSED')) throw error;
        if (tries % servers.length === servers.length - 1) await sleep(50);
      }
    }
    throw failure;
  };
  return {
    secretFor: () => ({ mode: 'cluster', nodes, nodeAddressMap, ...bound }),
    send,
    everywhere: (...args) => Promise.all(servers.map((server) => server.command(...args))),
    single: undefined,
    masters: proxies,
    async failOver() {
      const replica = (await isMaster(first)) ? redis.replica : first;
      // Redis gives a failover up after five seconds, and refuses it while the master does not answer
      const tryOnce = async () => {
        await replica.command('CLUSTER', 'FAILOVER');
        await until(() => isMaster(replica), 6000);
      };
      while (!(await isMaster(replica))) await tryOnce().catch(() => sleep(50));
    },
    async moveSlot(stream, pause) {
      await moveSlot(slotOf(stream), second, third, pause).catch(() => {}); // the slot of a third is not theirs
    },
    async stop() {
      clients.end();
      await Promise.all(proxies.map((proxy) => proxy.close()));
      await redis.stop();
    },
  };
}

const none = async () => {};
