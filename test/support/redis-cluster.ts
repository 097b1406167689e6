import { freePort, startRedisServer, type RedisServer } from '../../scripts/sandbox/redis-server.ts';
import { until } from './until.ts';

/** A Redis Cluster on loopback, behind a password: masters that share the slots, and a replica of the first. */
export interface RedisCluster {
  readonly masters: RedisServer[];
  readonly replica: RedisServer;
  /** URLs of all nodes. */
  readonly nodes: string[];
  stop(): Promise<void>;
}

const SLOTS = 16_384;
const NODE_TIMEOUT_MS = 500;
const PASSWORD = 'of-the-cluster';

/**
 * Starts a cluster of three masters, and one replica that takes over when the first master dies.
 *
 * @example
 * const cluster = await startRedisCluster();
 * await cluster.masters[0].kill();
 */
export async function startRedisCluster(): Promise<RedisCluster> {
  const busPorts = [await freePort(), await freePort(), await freePort(), await freePort()];
  const servers = await Promise.all(busPorts.map(startNode));
  const [first, ...others] = servers as [RedisServer, ...RedisServer[]];
  const masters = [first, ...others.slice(0, 2)];
  const replica = others[2]!;

  await Promise.all(
    masters.map((master, at) => master.command('CLUSTER', 'ADDSLOTSRANGE', ...rangeOf(at, masters.length))),
  );
  await Promise.all(servers.map((server, at) => server.command('CLUSTER', 'SET-CONFIG-EPOCH', String(at + 1))));
  await Promise.all(
    others.map((server) => server.command('CLUSTER', 'MEET', '127.0.0.1', String(first.port), String(busPorts[0]))),
  );
  await until(async () => (await infoOf(replica)).includes('cluster_known_nodes:4'));
  await replica.command('CLUSTER', 'REPLICATE', (await first.command('CLUSTER', 'MYID')) as string);
  await until(async () => (await Promise.all(servers.map(infoOf))).every((info) => info.includes('cluster_state:ok')));
  await until(async () => String(await replica.command('INFO', 'replication')).includes('master_link_status:up'));

  return {
    masters,
    replica,
    nodes: servers.map(({ url }) => url),
    async stop() {
      await Promise.all(servers.map((server) => server.stop()));
    },
  };
}

function startNode(busPort: number): Promise<RedisServer> {
  const login = ['--requirepass', PASSWORD, '--masterauth', PASSWORD];
  const args = ['--cluster-enabled', 'yes', '--cluster-port', String(busPort), ...login];
  const soon = ['--cluster-node-timeout', String(NODE_TIMEOUT_MS), '--repl-diskless-sync-delay', '0'];
  return startRedisServer({ args: [...args, ...soon], url: (port) => `redis://:${PASSWORD}@127.0.0.1:${port}` });
}

const infoOf = async (server: RedisServer) => String(await server.command('CLUSTER', 'INFO'));

function rangeOf(at: number, count: number): [string, string] {
  const bound = (part: number) => Math.floor((SLOTS * part) / count);
  return [String(bound(at)), String(bound(at + 1) - 1)];
}
