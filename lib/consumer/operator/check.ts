import { CLOCK_TOLERANCE_MS, measureAhead } from '../redis-clock.ts';
import { CAUSES } from '../../contract/causes.ts';
import type { GroupStatus } from '../../contract/parameters/status.ts';
import { openRedis } from '../../redis/connections.ts';
import { decodeInfo, findLacks, isUnavailable, type Lack, type NeededCall } from '../../redis/acl.ts';
import { mastersOf, type Master } from '../../redis/masters.ts';
import { addressOf } from '../../redis/options.ts';
import type { ConnectorError } from '../../core/errors.ts';
import type { Redis } from '../../redis/redis.ts';
import { fitsAny, isAllowed } from '../../invocation/access.ts';
import { Checks, type Found } from '../../invocation/checks.ts';
import { readEnvironment } from '../../config/config.ts';
import type { ConnectorSecret, RedisConfig } from '../../config/config.schema.ts';
import type { Invocation } from '../../invocation/invocation.ts';
import { xinfoGroupsCommand } from '../../stream/commands/xinfo-groups.ts';
import { scopeOf, type Scope, type ScopeParameters } from '../scope.ts';
import { READING, RIGHTS } from './rights.generated.ts';
import { callsOfRun, callsWith } from './rights.ts';
import { ifMissing, readStatus } from './status.ts';

/** An entry that waits longer is worth a warning; the alarm of a deployment rings then, too. */
const TOO_OLD_MS = 15 * 60_000;
/** Without its rights nothing is carried. */
const CONSUMER = 'stream-consumer';
/** Share of `maxmemory` from which on a check warns. */
const NEARLY_FULL = 0.8;

type Info = Record<string, string>;
/** The server, or a master of a cluster, with a shard that it has. */
type Server = Master;
interface Opened {
  readonly redis: Redis;
  readonly config: RedisConfig;
  readonly secret: ConnectorSecret;
  readonly scope: Scope;
}

/** Checks Redis, the rights of its user, and the consumer's streams, step by step. Only reads. */
export async function checkStream(invocation: Invocation, parameters: ScopeParameters): Promise<Checks> {
  const serverChecks = ['secret', 'connection', 'server', 'memory', 'clock', 'rights'];
  const checks = new Checks([
    ...serverChecks,
    'streams',
    'backlog',
    'consumer',
    'breaker',
    'last-failure',
    'dead-letters',
  ]);
  const opened = await checks.run('secret', () => open(invocation, parameters));
  if (!opened) return checks;
  const { redis, config, scope } = opened;
  const servers = await checks.run('connection', () => connect(redis, config, scope.streams));
  if (!servers) return checks;
  const infos = await checks.run('server', () => onEach(servers, ({ key }) => inspectServer(redis, config, key)));
  if (!infos) return checks;
  if (!infos.includes(null)) await checks.run('memory', () => onEach(servers, (_, at) => inspectMemory(infos[at]!)));
  await checks.run('clock', () => onEach(servers, ({ key }) => compareClocks(redis, key)));
  await checks.run('rights', () => onEach(servers, ({ key }) => inspectRights(opened, key)));
  const areStreams = await checks.run('streams', () => inspectStreams(redis, scope));
  if (!areStreams) return checks;
  const rows = await checks.run('backlog', async () => inspectBacklog(await readStatus(redis, scope)));
  if (!rows) return checks;
  await checks.run('consumer', () => inspectRuns(rows));
  await checks.run('breaker', () => inspectBreaker(rows));
  await checks.run('last-failure', () => inspectFailures(rows));
  await checks.run('dead-letters', () => inspectDeadLetters(rows));
  return checks;
}

async function open(invocation: Invocation, parameters: ScopeParameters): Promise<Found<Opened>> {
  const secret = await invocation.config();
  const scope = scopeOf(parameters, secret.ingest);
  invocation.checkKeys('/stream', scope.streams);
  const redis = await openRedis(invocation);
  const config = secret.redis!; // without it, there is no connection to open
  const { host, isEncrypted } = addressOf(config);
  const detail = `Valid: ${config.mode} at ${host}, ${isEncrypted ? 'with' : 'without'} TLS`;
  return { detail, value: { redis, config, secret, scope } };
}

async function connect(redis: Redis, config: RedisConfig, streams: readonly string[]): Promise<Found<Server[]>> {
  const { host, user } = addressOf(config);
  const isCluster = config.mode === 'cluster';
  const servers = isCluster ? await mastersOf(redis, streams) : [{ address: host, key: streams[0]! }];
  await Promise.all(servers.map(({ key }) => redis.send({ key, args: ['PING'], decode: String })));
  const masters = servers.length === 1 ? 'one master' : `${servers.length} masters`;
  const ofCluster = isCluster ? `; the shards are on ${masters}` : '';
  return { detail: `Connected to ${host} as the user ${user}${ofCluster}`, value: servers };
}

/** The worst first. */
const STATUSES = ['failed', 'warning', 'skipped', 'passed'] as const;

/** Looks at each server. Of several, the check tells the worst, and which servers have it. */
async function onEach<T>(
  servers: readonly Server[],
  inspect: (server: Server, at: number) => Found<T> | Promise<Found<T>>,
): Promise<Found<T[]>> {
  const all = await Promise.all(
    servers.map(async (server, at) => ({ server, status: 'passed', ...(await inspect(server, at)) }) as const),
  );
  const status = STATUSES.find((worst) => all.some((one) => one.status === worst));
  const worst = all.filter((one) => one.status === status);
  const byDetail = Map.groupBy(worst, ({ detail }) => detail);
  const details = Array.from(byDetail, ([detail, found]) => {
    return found.length === all.length ? detail : `${found.map(({ server }) => server.address).join(', ')}: ${detail}`;
  });
  return { status, detail: details.join('; '), hint: worst[0]?.hint, value: all.map(({ value }) => value) };
}

/** What the server says of itself; null if its user may not ask. */
async function inspectServer(redis: Redis, { mode }: RedisConfig, key: string): Promise<Found<Info | null>> {
  let info: Info;
  try {
    info = await redis.send({ key, args: ['INFO'], decode: decodeInfo });
  } catch (error) {
    if (!isUnavailable(error)) throw error;
    return { status: 'skipped', detail: 'The Redis user may not run INFO', hint: 'Grant +info', value: null };
  }
  const { role = 'unknown', redis_mode: kind = 'standalone' } = info;
  const version = info.valkey_version ? `Valkey ${info.valkey_version}` : `Redis ${info.redis_version}`;
  const detail = `${version}, ${kind}, ${role}`;
  const failed = (hint: string) => ({ status: 'failed' as const, detail, hint, value: info });
  if (Number.parseInt(info.redis_version ?? '', 10) < 7) return failed('Use Redis 7.0 or newer, or Valkey');
  if (role === 'slave') return failed('This is a replica: give the address of the primary');
  if (kind === 'sentinel') return failed(CAUSES['redis-command'].hint);
  if ((kind === 'cluster') !== (mode === 'cluster'))
    return failed(CAUSES[kind === 'cluster' ? 'redis-cluster-node' : 'redis-no-cluster'].hint);
  return { detail, value: info };
}

function inspectMemory(info: Info): Found<true> {
  const used = Number(info.used_memory);
  const limit = Number(info.maxmemory);
  const policy = info.maxmemory_policy ?? 'noeviction';
  const share = limit > 0 ? ` of ${megabytes(limit)} (${Math.round((100 * used) / limit)} %)` : ', no limit';
  const detail = `${megabytes(used)} used${share}; maxmemory-policy ${policy}`;
  const found = (status: Found<true>['status'], hint: string): Found<true> => ({ status, detail, hint, value: true });
  if (limit > 0 && policy.startsWith('allkeys'))
    return found('failed', 'Set maxmemory-policy to noeviction: this one deletes streams when memory is full');
  if (limit > 0 && policy !== 'noeviction')
    return found(
      'warning',
      'Set maxmemory-policy to noeviction: this one deletes leases and pauses when memory is full',
    );
  if (limit > 0 && used > NEARLY_FULL * limit)
    return found('warning', 'Trim streams, or use a larger server: when memory is full, no entry can be added');
  return { detail, value: true };
}

const megabytes = (bytes: number) => `${Math.round(bytes / 1_048_576)} MB`;

async function compareClocks(redis: Redis, key: string): Promise<Found<true>> {
  const ahead = await measureAhead(redis, key);
  const detail = `This machine's clock is ${formatSeconds(Math.abs(ahead))} ${ahead < 0 ? 'behind' : 'ahead of'} that of Redis`;
  if (Math.abs(ahead) <= CLOCK_TOLERANCE_MS) return { detail, value: true };
  return { status: 'warning', detail, hint: 'Set both clocks by NTP', value: true };
}

const formatSeconds = (ms: number) => (ms < 1000 ? `${Math.round(ms)} ms` : `${Math.round(ms / 1000)} s`);

/** What the deployed operations need of the Redis user, asked of the server that has this shard. */
async function inspectRights({ redis, config, secret, scope }: Opened, stream: string): Promise<Found<true>> {
  const { operations } = readEnvironment();
  const isUsed = (name: string) =>
    fitsAny(operations, name) && isAllowed({ name, readOnly: READING.includes(name) }, secret.access);
  const names = Object.keys(RIGHTS).filter(isUsed);
  const { user } = addressOf(config);
  const { group = secret.ingest.group, namedLetters } = scope;
  const shard = { stream, group, deadLetterStream: namedLetters?.({ stream, group }) };
  const callsOf = (name: string) => (name === CONSUMER ? callsOfRun(shard) : callsWith(RIGHTS[name]!, shard));
  const calls = new Map(names.flatMap(callsOf).map((call) => [nameOf(call), call]));
  let lacks: Map<string, Lack>;
  try {
    lacks = new Map((await findLacks(redis, user, [...calls.values()])).map((lack) => [nameOf(lack), lack]));
  } catch (error) {
    if (!isUnavailable(error)) throw error;
    return {
      status: 'skipped',
      detail: 'Redis does not say what its user may do',
      hint: 'Grant +acl|dryrun',
      value: true,
    };
  }
  const lacking = names.flatMap((name) => {
    const needed = callsOf(name).flatMap((call) => lacks.get(nameOf(call)) ?? []);
    return needed.length === 0 ? [] : [`${name} lacks ${[...new Set(needed.map(describe))].join(', ')}`];
  });
  if (lacking.length === 0)
    return { detail: `The user ${user} may do what ${names.length} operations need`, value: true };
  const isOfConsumer = lacking.some((text) => text.startsWith(`${CONSUMER} `));
  const grants = [...new Set([...lacks.values()].map(grantFor))].join(' ');
  const hint = `ACL SETUSER ${user} ${grants}`;
  return { status: isOfConsumer ? 'failed' : 'warning', detail: lacking.join('; '), hint, value: true };
}

const nameOf = ({ right, key }: NeededCall) => `${right} ${key}`;
const describe = ({ right, key, kind: of }: Lack) => (of === 'command' ? `+${right}` : `the key ${key}`);
const grantFor = ({ right, key, kind: of }: Lack) => (of === 'command' ? `+${right}` : `~${key}`);

async function inspectStreams(redis: Redis, { streams, group }: Scope): Promise<Found<true>> {
  const others: string[] = [];
  const groupsOf = (stream: string) =>
    redis.send(xinfoGroupsCommand(stream)).catch((error: ConnectorError) => {
      if (error.type !== 'STREAM:WRONG_TYPE') return ifMissing(null)(error);
      others.push(stream);
      return null;
    });
  const all = await Promise.all(streams.map(groupsOf));
  if (others.length > 0) {
    const detail = `Not a stream: ${others.toSorted().join(', ')}`;
    return { status: 'failed', detail, hint: 'Find out what writes there, and rename or delete the key', value: true };
  }
  const existing = all.filter((groups) => groups !== null);
  const withGroup = existing.filter((groups) => group === undefined || groups.some(({ name }) => name === group));
  const groupNote = group === undefined ? '' : `; ${withGroup.length} have the group ${group}`;
  const missing = existing.length < streams.length || withGroup.length < existing.length;
  const note = missing ? '. The first enqueue makes a stream, the first run a group' : '';
  return { detail: `${existing.length} of ${streams.length} streams exist${groupNote}${note}`, value: true };
}

function inspectBacklog(rows: readonly GroupStatus[]): Found<readonly GroupStatus[]> {
  const unread = rows.reduce((sum, { lag }) => sum + (lag ?? 0), 0);
  const pending = rows.reduce((sum, row) => sum + row.pending, 0);
  const oldestMs = Math.max(0, ...rows.flatMap((row) => [row.oldestUnreadMs ?? 0, row.oldestPendingMs ?? 0]));
  const age = oldestMs > 0 ? `, the oldest ${formatSeconds(oldestMs)} old` : '';
  const detail = `${unread} unread, ${pending} pending${age}`;
  if (oldestMs <= TOO_OLD_MS) return { detail, value: rows };
  const hint = 'Look at the shards with stream-status: a run that does not start, a target that fails, or too few runs';
  return { status: 'warning', detail, hint, value: rows };
}

function inspectRuns(rows: readonly GroupStatus[]): Found<true> {
  const paused = rows.filter(({ run }) => run === 'paused');
  const active = rows.filter(({ run }) => run === 'active');
  if (paused.length === 0)
    return { detail: `A run is active in ${active.length} of ${rows.length} shards`, value: true };
  const hint = 'End the pause with stream-pause and resume: true';
  return { status: 'warning', detail: `Paused in ${paused.length} of ${rows.length} shards`, hint, value: true };
}

function inspectBreaker(rows: readonly GroupStatus[]): Found<true> {
  const open = rows.filter(({ breaker }) => breaker !== 'closed');
  if (open.length === 0) return { detail: 'Closed', value: true };
  const restMs = Math.max(...open.map((row) => row.restMs));
  const restNote = restMs > 0 ? `; the target rests for another ${formatSeconds(restMs)}` : '';
  const detail = `Open or half-open in ${open.length} of ${rows.length} shards${restNote}`;
  const hint = 'The target is out of service, or refuses everything: check it, or see the log of the last run';
  return { status: 'warning', detail, hint, value: true };
}

function inspectFailures(rows: readonly GroupStatus[]): Found<true> {
  const failures = rows.flatMap(({ lastFailure }) => lastFailure ?? []);
  const [newest] = failures.toSorted((one, other) => other.at.localeCompare(one.at));
  if (!newest) return { detail: 'No entry waits after a failure', value: true };
  const count = failures.reduce((sum, { entries }) => sum + entries, 0);
  const { type, detail, target, at } = newest;
  const found = `${count} ${count === 1 ? 'entry waits' : 'entries wait'}; ${target} failed at ${at}: ${type}: ${detail}`;
  const hint = 'Repair what the detail names; the entries are tried again by themselves';
  return { status: 'warning', detail: found, hint, value: true };
}

function inspectDeadLetters(rows: readonly GroupStatus[]): Found<true> {
  const letters = rows.flatMap(({ deadLetters }) => deadLetters);
  const count = letters.reduce((sum, one) => sum + one.count, 0);
  if (count === 0) return { detail: 'None', value: true };
  const [most] = letters.toSorted((one, other) => other.count - one.count);
  const detail = `${count}; most often ${most?.errorType}: ${most?.reason}`;
  const hint = 'Repair the cause, then put them back with stream-redrive';
  return { status: 'warning', detail, hint, value: true };
}
