import { startRedisServer, type RedisServer } from '#sandbox/redis/redis-server.ts';
import { until } from '../until.ts';

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
/** A node gives up meeting one that does not answer within a second, and has to be told again. */
const MEETING_MS = 3000;
/** Password of all nodes. */
export const PASSWORD = 'of-the-cluster';

/**
 * Starts a cluster of three masters, and one replica that takes over when the first master dies.
 *
 * @example
 * const cluster = await startRedisCluster();
 * await cluster.masters[0].kill();
 */
export async function startRedisCluster(): Promise<RedisCluster> {
  const servers = await Promise.all([startNode(), startNode(), startNode(), startNode()]);
  const [first, ...others] = servers;
  const masters = [first, ...others.slice(0, 2)];
  const replica = others[2];

  await Promise.all(
    masters.map((master, at) => master.command('CLUSTER', 'ADDSLOTSRANGE', ...rangeOf(at, masters.length))),
  );
  await Promise.all(servers.map((server, at) => server.command('CLUSTER', 'SET-CONFIG-EPOCH', String(at + 1))));
  const address = ['127.0.0.1', String(first.port), String(first.otherPort)];
  await until(async () => {
    await Promise.all(others.map((server) => server.command('CLUSTER', 'MEET', ...address)));
    await until(() => knows(replica, servers.length), MEETING_MS);
    return true;
  });
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

/**
 * Moves a slot of one of two masters to the other, key by key, as redis-cli does; slots of others stay. Returns its new
 * master.
 *
 * @param pause called before the first key, and after each: the slot is on its way, and what names a key that is gone
 *   beside one that is not, or one that is nowhere, is answered by TRYAGAIN
 */
export async function moveSlot(
  slot: number,
  one: RedisServer,
  other: RedisServer,
  pause: () => Promise<unknown> = () => Promise.resolve(),
): Promise<RedisServer> {
  const id = async (server: RedisServer) => (await server.command('CLUSTER', 'MYID')) as string;
  const slots = (await one.command('CLUSTER', 'SLOTS')) as [number, number, [string, number, string]][];
  const owner = slots.find(([low, high]) => low <= slot && slot <= high)![2][2];
  const [from, to] = owner === (await id(one)) ? [one, other] : [other, one];
  const [fromId, toId] = [await id(from), await id(to)];
  if (owner !== fromId) return from;
  await to.command('CLUSTER', 'SETSLOT', String(slot), 'IMPORTING', fromId);
  await from.command('CLUSTER', 'SETSLOT', String(slot), 'MIGRATING', toId);
  await pause();
  const target = ['127.0.0.1', String(to.port), '', '0', '5000', 'AUTH', PASSWORD, 'KEYS'];
  for (;;) {
    const [key] = (await from.command('CLUSTER', 'GETKEYSINSLOT', String(slot), '1')) as string[];
    if (key === undefined) break;
    await from.command('MIGRATE', ...target, key);
    await pause();
  }
  await to.command('CLUSTER', 'SETSLOT', String(slot), 'NODE', toId);
  await from.command('CLUSTER', 'SETSLOT', String(slot), 'NODE', toId);
  return to;
}

function startNode(): Promise<RedisServer> {
  const login = ['--requirepass', PASSWORD, '--masterauth', PASSWORD];
  const soon = ['--cluster-node-timeout', String(NODE_TIMEOUT_MS), '--repl-diskless-sync-delay', '0'];
  return startRedisServer({
    args: ({ otherPort }) => ['--cluster-enabled', 'yes', '--cluster-port', String(otherPort), ...login, ...soon],
    url: (port) => `redis://:${PASSWORD}@127.0.0.1:${port}`,
  });
}

async function knows(server: RedisServer, count: number): Promise<boolean> {
  const nodes = String(await server.command('CLUSTER', 'NODES'))
    .trim()
    .split('\n');
  return nodes.length === count && !nodes.some((node) => node.includes('handshake'));
}

const infoOf = async (server: RedisServer) => String(await server.command('CLUSTER', 'INFO'));

function rangeOf(at: number, count: number): [string, string] {
  const bound = (part: number) => Math.floor((SLOTS * part) / count);
  return [String(bound(at)), String(bound(at + 1) - 1)];
}
