import type { Lambda } from '#sandbox/aws/lambda.ts';
import { startRedisServer, type RedisServer } from '#sandbox/redis/redis-server.ts';
import { startSecretsManager } from '#sandbox/aws/secrets-manager.ts';
import { startContainer } from '../support/aws/container.ts';
import { slotOf } from '#lib/redis/slot.ts';
import { moveSlot, startRedisCluster } from '../support/redis/redis-cluster.ts';
import { startTcpProxy } from '../support/redis/tcp-proxy.ts';
import { until } from '../support/until.ts';

const PASSWORDS = ['first', 'second'] as const;
const COMMAND_TIMEOUT_MS = 2000;

/** A container, the Redis behind it, and what may happen to that. */
export interface World {
  readonly lambda: Lambda;
  /** Connections that the servers count. */
  connections(): Promise<number>;
  readonly faults: Record<string, () => unknown>;
  stop(): Promise<void>;
}

const clientsOf = async (server: RedisServer) =>
  Number(/connected_clients:(\d+)/.exec(String(await server.command('INFO', 'clients')))![1]);

async function startLambda(redis: object) {
  const secrets = await startSecretsManager({ 'test/default': { redis } });
  return { secrets, lambda: await startContainer(secrets, { CONNECTOR_SECRET_TTL_MS: '500' }) };
}

/** One server behind a proxy: cuts, silent sockets, kills, restarts and secrets that change. */
export async function startServerWorld(): Promise<World> {
  const url = (port: number, password: string = PASSWORDS[0]) => `redis://default:${password}@127.0.0.1:${port}`;
  const server = await startRedisServer({ durable: true, args: ['--requirepass', PASSWORDS[0]], url });
  const allowSecond = () => server.command('ACL', 'SETUSER', 'default', `>${PASSWORDS[1]}`);
  await allowSecond();
  await server.command('SET', 'text', 'x');
  const proxy = await startTcpProxy(server.port);
  const redis = (password: string) => ({ url: url(proxy.port, password), commandTimeoutMs: COMMAND_TIMEOUT_MS });
  const { secrets, lambda } = await startLambda(redis(PASSWORDS[0]));
  let changes = 0;
  return {
    lambda,
    connections: () => clientsOf(server),
    faults: {
      cut: () => proxy.cut(),
      abandon: () => proxy.abandon(),
      kill: () => server.command('CLIENT', 'KILL', 'TYPE', 'normal').catch(() => {}),
      restart: async () => {
        await server.kill();
        await server.start();
        await allowSecond();
      },
      secret: () => secrets.set('test/default', { redis: redis(PASSWORDS[++changes % 2]!) }),
    },
    async stop() {
      await Promise.all([lambda.stop(), proxy.close(), secrets.close(), server.stop()]);
    },
  };
}

/** A cluster: failovers, a master that dies, and slots that move while they are in use. */
export async function startClusterWorld(): Promise<World> {
  const cluster = await startRedisCluster();
  const [first, second, third] = cluster.masters as [RedisServer, RedisServer, RedisServer];
  await cluster.masters[Math.floor((slotOf('text') * 3) / 16_384)]!.command('SET', 'text', 'x');
  const { secrets, lambda } = await startLambda({
    mode: 'cluster',
    nodes: cluster.nodes,
    commandTimeoutMs: COMMAND_TIMEOUT_MS,
  });
  const servers = [...cluster.masters, cluster.replica];
  const pair = async () => ((await isMaster(first)) ? [first, cluster.replica] : [cluster.replica, first]);
  return {
    lambda,
    connections: async () => (await Promise.all(servers.map(clientsOf))).reduce((sum, count) => sum + count, 0),
    faults: {
      async failover() {
        const [, replica] = await pair();
        await replica!.command('CLUSTER', 'FAILOVER');
        await until(() => isMaster(replica!));
      },
      async kill() {
        const [master, replica] = await pair();
        await master!.kill();
        await until(() => isMaster(replica!));
        await master!.start();
        await until(async () => /master_link_status:up/.test(String(await master!.command('INFO', 'replication'))));
      },
      async clients() {
        for (const server of servers) await server.command('CLIENT', 'KILL', 'TYPE', 'normal').catch(() => {});
      },
      async move() {
        for (const key of ['s0', 's1', 's2', 's3', 's4']) await moveSlot(slotOf(key), second, third);
      },
    },
    async stop() {
      await Promise.all([lambda.stop(), secrets.close(), cluster.stop()]);
    },
  };
}

const isMaster = async (server: RedisServer) =>
  String(await server.command('INFO', 'replication')).includes('role:master');
