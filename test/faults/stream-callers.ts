import { setTimeout as sleep } from 'node:timers/promises';
import { shardNames } from '#lib/consumer/scope.ts';
import { startSecretsManager } from '#sandbox/aws/secrets-manager.ts';
import { startContainer } from '#test/support/aws/container.ts';
import { Random } from '#test/support/random.ts';
import { until } from '#test/support/until.ts';
import { Callers, CALLERS, type Call, type CallersPlay, type CallsReport, type Troubles } from './callers.ts';
import { refuseConnections, refuseWrites, runSlowScript } from './refusals.ts';
import { startServers, type Servers } from './servers.ts';
import type { World } from './world.ts';

/** How long Redis refuses something. */
const REFUSED_MS = 1000;
/** How long a node of a cluster does not answer: longer than a command waits. */
const SILENT_MS = 2500;
const PASSWORDS = ['first', 'second'] as const;
const KEYS = ['s0', 's1', 's2', 's3', 's4'];
/** Streams that nobody trims, so that all that was added to them is there; producers add to the last ones. */
const INGEST = 'kept';
const SHARDS = 2;
const KEPT = [INGEST, ...shardNames(INGEST, SHARDS)];

/** Errors that the table of docs/errors.md knows. */
const COMMAND_ERRORS = [404, 409, 413, 422, 502, 503, 504].map((status) => `STREAM:COMMAND ${status}`);
const ALLOWED = new Set(['STREAM:ARGUMENT 400', 'STREAM:WRONG_TYPE 409', ...COMMAND_ERRORS]);

const member = { group: 'g', consumer: 'c' };
const COMMANDS: readonly ((key: string) => [command: string, parameters: object])[] = [
  (key) => ['xadd', { key, entry: { a: '1' }, evictionOption: { maxLength: 1000 } }],
  (key) => ['xadd-batch', { key, entries: [{ a: '1' }, { b: '2' }] }],
  (key) => ['xrange', { key, start: '-', end: '+', count: 10 }],
  (key) => ['xread', { block: 200, streamWatermarks: [{ key, id: '$' }] }],
  (key) => ['xreadgroup', { group: 'g', consumer: 'c', count: 10, block: 100, streamWatermarks: [{ key, id: '>' }] }],
  (key) => ['xautoclaim', { ...member, key, minIdleMs: 50, count: 5 }],
  (key) => ['xpending', { group: 'g', key }],
  (key) => ['xinfo-groups', { key }],
  () => ['xrange', { key: 'text', start: '-', end: '+' }],
  (key) => ['xgroup-create', { key, group: 'g', mkstream: true }],
];
const CITY = { businessEntity: 'c360.city', sourceSystem: 'faults' };
const record = (n: string) => ({ sourcePKey: n, record: { name: 'Bonn' } });
/** Calls that add so many entries to those streams, each with its number in the field `n` or as its key. */
const ADDING: readonly [count: number, (ns: readonly string[]) => [route: string, parameters: object]][] = [
  [1, ([n]) => ['/stream/xadd', { key: INGEST, entry: { n } }]],
  [3, (ns) => ['/stream/xadd-batch', { key: INGEST, entries: ns.map((n) => ({ n })) }]],
  [1, ([n]) => ['/mdm/source-enqueue', { ...CITY, ...record(n!), idempotencyKey: `call-${n}` }]],
  [3, (ns) => ['/mdm/source-enqueue-batch', { ...CITY, records: ns.map(record), idempotencyKey: `call-${ns[0]}` }]],
];

function drawCall(random: Random, name: () => string): Call {
  if (random.happens(0.7)) {
    const [command, parameters] = random.pick(COMMANDS)(random.pick(KEYS));
    return { route: `/stream/${command}`, parameters };
  }
  const [count, adding] = random.pick(ADDING);
  const changes = Array.from({ length: count }, name);
  const [route, parameters] = adding(changes);
  return { route, parameters, changes, isOnce: true };
}

/** How often each number is in the streams. */
async function countAdded({ send }: Servers): Promise<(n: string) => number> {
  const counts = new Map<string, number>();
  for (const stream of KEPT) {
    for (const [, words] of await send<[id: string, words: string[]][]>(stream, 'XRANGE', stream, '-', '+')) {
      const at = words.findIndex((word) => word === 'n' || word === 'sourcePKey');
      const n = words[at + 1]!;
      counts.set(n, (counts.get(n) ?? 0) + 1);
    }
  }
  return (n) => counts.get(n) ?? 0;
}

async function countConnections({ everywhere }: Servers): Promise<number> {
  const infos = await everywhere('INFO', 'clients');
  return infos.reduce<number>((sum, info) => sum + Number(/connected_clients:(\d+)/.exec(String(info))![1]), 0);
}

/**
 * Callers of stream commands, while one server is cut off, killed, refuses what it is asked and is given another
 * password, or a cluster fails over and moves slots. No connection may leak, and no entry be lost or added twice.
 */
export async function playStreamCallers(
  redis: Extract<World['redis'], 'server' | 'cluster'>,
  { ms, seed, print = () => {} }: CallersPlay,
): Promise<CallsReport> {
  const servers = await startServers({ redis, linkMs: 0 }, true);
  const secrets = await startSecretsManager();
  let changes = 0;
  const setSecret = () => {
    const login = `worker:${PASSWORDS[changes % 2]}`;
    secrets.set('test/default', {
      redis: { ...servers.secretFor(login), commandTimeoutMs: 2000 },
      ingest: { stream: INGEST, shards: SHARDS, group: 'g', wake: false },
    });
  };
  const allowPasswords = () => {
    const passwords = PASSWORDS.map((one) => `>${one}`);
    return servers.everywhere('ACL', 'SETUSER', 'worker', 'on', 'allkeys', 'allcommands', ...passwords);
  };
  const killClients = () => servers.everywhere('CLIENT', 'KILL', 'TYPE', 'normal').catch(() => {});
  const { single } = servers;
  const troubles: Troubles = single
    ? {
        cut: () => single.proxy.cut(),
        abandon: () => single.proxy.abandon(),
        kill: killClients,
        async restart() {
          await single.server.kill();
          await single.server.start();
          await allowPasswords();
        },
        secret() {
          changes++;
          setSecret();
        },
        reply: () => single.proxy.cutReply(),
        writes: () => refuseWrites(servers.send, REFUSED_MS),
        script: () => runSlowScript(servers.send, REFUSED_MS),
        async connections() {
          const refusing = refuseConnections(servers.send, REFUSED_MS);
          single.proxy.cut();
          await refusing;
        },
      }
    : {
        failover: () => servers.failOver(),
        clients: killClients,
        cut: () => servers.masters[2]!.cut(),
        abandon: () => servers.masters[2]!.abandon(),
        async silence() {
          const proxy = servers.masters[2]!;
          proxy.stall();
          await sleep(SILENT_MS);
          proxy.cut();
          proxy.pass();
        },
        async move() {
          for (const key of [...KEYS, ...KEPT]) await servers.moveSlot(key, () => Promise.resolve());
        },
      };
  if (single) await allowPasswords();
  setSecret();
  await servers.send('text', 'SET', 'text', 'x');
  const lambda = await startContainer(secrets, single && { CONNECTOR_SECRET_TTL_MS: '500' });
  try {
    const callers = new Callers({ lambdas: [lambda], random: new Random(seed), draw: drawCall, allowed: ALLOWED });
    const { report } = callers;
    await callers.call(troubles, ms, print);
    await until(async () => (await countConnections(servers)) <= 2 * CALLERS * (COMMANDS.length + ADDING.length));
    const before = await countConnections(servers);
    await Promise.all(Array.from({ length: CALLERS }, () => callers.callOnce()));
    if ((await countConnections(servers)) > before + CALLERS) report.faults.push('connections leak');
    report.faults.push(...callers.changes.faults(await countAdded(servers)));
    return report;
  } finally {
    await Promise.all([lambda.stop(), secrets.close(), servers.stop()]);
  }
}
