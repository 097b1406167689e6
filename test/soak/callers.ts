import { setTimeout as sleep } from 'node:timers/promises';
import { startLambda, type Lambda } from '../../scripts/sandbox/lambda.ts';
import { startRedisServer, type RedisServer } from '../../scripts/sandbox/redis-server.ts';
import { startSecretsManager, type SecretsManager } from '../../scripts/sandbox/secrets-manager.ts';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';
import { until } from '../support/until.ts';

const CALLERS = 50;
/** No call may take longer: the time of its invocation, and what the machine takes to report it. */
const BOUND_MS = 20_000;
const TIMEOUT_MS = 6000;
const PASSWORDS = ['first', 'second'];

export interface SoakReport {
  calls: number;
  failures: Record<string, number>;
  /** What must not be. */
  faults: string[];
}

interface World {
  server: RedisServer;
  proxy: TcpProxy;
  secrets: SecretsManager;
  lambda: Lambda;
}

/** Errors that the table of docs/errors.md knows. */
const ALLOWED = new Set(['STREAM:ARGUMENT 400', 'STREAM:WRONG_TYPE 409', ...[404, 409, 413, 422, 502, 503, 504].map((status) => `STREAM:COMMAND ${status}`)]); // prettier-ignore

const pick = <T>(items: readonly T[]): T => items[Math.floor(Math.random() * items.length)]!;
const key = () => `s${Math.floor(Math.random() * 5)}`;
const member = { group: 'g', consumer: 'c' };
const COMMANDS: readonly (() => [operation: string, parameters: object])[] = [
  () => ['xadd', { key: key(), entry: { a: '1' }, evictionOption: { maxLength: 1000 } }],
  () => ['xadd-batch', { key: key(), entries: [{ a: '1' }, { b: '2' }] }],
  () => ['xrange', { key: key(), start: '-', end: '+', count: 10 }],
  () => ['xread', { block: 200, streamWatermarks: [{ key: key(), id: '$' }] }],
  () => ['xreadgroup', { ...member, count: 10, block: 100, streamWatermarks: [{ key: key(), id: '>' }] }],
  () => ['xautoclaim', { ...member, key: key(), minIdleMs: 50, count: 5 }],
  () => ['xpending', { group: 'g', key: key() }],
  () => ['xinfo-groups', { key: key() }],
  () => ['xrange', { key: 'text', start: '-', end: '+' }],
  () => ['xgroup-create', { key: key(), group: 'g', mkstream: true }],
];

/** Runs callers and faults side by side for so long. */
export async function soak(ms: number, print: (line: string) => void = () => {}): Promise<SoakReport> {
  const world = await startWorld();
  const report: SoakReport = { calls: 0, failures: {}, faults: [] };
  const endsAt = performance.now() + ms;
  const isOver = () => performance.now() > endsAt;
  try {
    const callers = Array.from({ length: CALLERS }, async () => {
      while (!isOver()) await callOnce(world, report);
    });
    await Promise.all([...callers, disturb(world, isOver, print)]);
    await until(async () => (await connections(world)) <= 2 * CALLERS * COMMANDS.length);
    const before = await connections(world);
    await Promise.all(Array.from({ length: CALLERS }, () => callOnce(world, report)));
    if ((await connections(world)) > before + CALLERS) report.faults.push('connections leak');
  } finally {
    await Promise.all([world.lambda.stop(), world.proxy.close(), world.secrets.close(), world.server.stop()]);
  }
  return report;
}

async function startWorld(): Promise<World> {
  const url = (port: number, password = PASSWORDS[0]!) => `redis://default:${password}@127.0.0.1:${port}`;
  const server = await startRedisServer({ durable: true, args: ['--requirepass', PASSWORDS[0]!], url });
  await server.command('ACL', 'SETUSER', 'default', `>${PASSWORDS[1]!}`);
  await server.command('SET', 'text', 'x');
  const proxy = await startTcpProxy(server.port);
  const secrets = await startSecretsManager({
    'test/default': { redis: { url: url(proxy.port), commandTimeoutMs: 2000 } },
  });
  const env = {
    CONNECTOR_SECRET_PREFIX: 'test/',
    AWS_ENDPOINT_URL_SECRETS_MANAGER: secrets.url,
    CONNECTOR_SECRET_TTL_MS: '500',
  };
  return { server, proxy, secrets, lambda: await startLambda({ env }) };
}

const connections = async ({ server }: World) =>
  Number(/connected_clients:(\d+)/.exec(String(await server.command('INFO', 'clients')))![1]);

/** One call, and where it failed, whether `retryable` was true. */
async function callOnce({ lambda }: World, report: SoakReport): Promise<void> {
  const [operation, parameters] = pick(COMMANDS)();
  const call = async () => {
    report.calls++;
    const timer = sleep(BOUND_MS, undefined, { ref: false }).then(() => undefined);
    const response = await Promise.race([
      lambda.post(`/stream/${operation}`, parameters, { timeoutMs: TIMEOUT_MS }),
      timer,
    ]);
    if (!response) report.faults.push(`${operation} hangs`);
    return response;
  };
  const first = await call();
  if (!first || first.status < 400) return;
  const { type, retryable } = first.json as { type: string; retryable: boolean };
  const name = `${type} ${first.status}`;
  report.failures[name] = (report.failures[name] ?? 0) + 1;
  if (!ALLOWED.has(name)) report.faults.push(`${operation}: ${first.text}`);
  if (!retryable) return;
  for (let attempt = 0; attempt < 30; attempt++) {
    await sleep(300);
    const again = await call();
    if (!again || again.status < 400 || !(again.json as { retryable: boolean }).retryable) return;
  }
  report.faults.push(`${operation}: ${name} is retryable, and no retry succeeded`);
}

/** What happens to the server and the way to it. */
async function disturb(
  { server, proxy, secrets }: World,
  isOver: () => boolean,
  print: (line: string) => void,
): Promise<void> {
  let password = 0;
  const faults: Record<string, () => unknown> = {
    cut: () => proxy.cut(),
    abandon: () => proxy.abandon(),
    kill: () => server.command('CLIENT', 'KILL', 'TYPE', 'normal').catch(() => {}),
    restart: async () => {
      await server.kill();
      await server.start();
      await server.command('ACL', 'SETUSER', 'default', `>${PASSWORDS[1]!}`);
    },
    secret: () => {
      password = 1 - password;
      const url = `redis://default:${PASSWORDS[password]!}@127.0.0.1:${proxy.port}`;
      secrets.set('test/default', { redis: { url, commandTimeoutMs: 2000 } });
    },
  };
  while (!isOver()) {
    await sleep(1000 + Math.random() * 1000);
    const name = pick(Object.keys(faults));
    print(name);
    await faults[name]!();
  }
}
