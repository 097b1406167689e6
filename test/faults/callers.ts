import { setTimeout as sleep } from 'node:timers/promises';
import type { Lambda } from '#sandbox/aws/lambda.ts';
import { startSecretsManager } from '#sandbox/aws/secrets-manager.ts';
import { startContainer } from '#test/support/aws/container.ts';
import { Random } from '#test/support/random.ts';
import { until } from '#test/support/until.ts';
import { refuseConnections, refuseWrites, runSlowScript } from './refusals.ts';
import { startServers, type Servers } from './servers.ts';
import type { World } from './world.ts';

const CALLERS = 50;
/** No call may take longer: the time of its invocation, and what the machine takes to report it. */
const BOUND_MS = 20_000;
const TIMEOUT_MS = 6000;
/** How long Redis refuses something. */
const REFUSED_MS = 1000;
const PASSWORDS = ['first', 'second'] as const;
const KEYS = ['s0', 's1', 's2', 's3', 's4'];

export interface CallsReport {
  calls: number;
  failures: Record<string, number>;
  /** What must not be. */
  faults: string[];
}

/** Errors that the table of docs/errors.md knows. */
const COMMAND_ERRORS = [404, 409, 413, 422, 502, 503, 504].map((status) => `STREAM:COMMAND ${status}`);
const ALLOWED = new Set(['STREAM:ARGUMENT 400', 'STREAM:WRONG_TYPE 409', ...COMMAND_ERRORS]);

const member = { group: 'g', consumer: 'c' };
const COMMANDS: readonly ((key: string) => [operation: string, parameters: object])[] = [
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

/** What happens to the servers of callers, by the kind of Redis. */
type Troubles = Record<string, () => unknown>;

/** Fifty callers of stream commands, side by side with faults of their Redis. */
class Callers {
  readonly #lambda: Lambda;
  readonly #servers: Servers;
  readonly #random: Random;
  readonly report: CallsReport = { calls: 0, failures: {}, faults: [] };

  constructor(lambda: Lambda, servers: Servers, random: Random) {
    this.#lambda = lambda;
    this.#servers = servers;
    this.#random = random;
  }

  async call(troubles: Troubles, ms: number, print: (line: string) => void): Promise<void> {
    const endsAt = performance.now() + ms;
    const isOver = () => performance.now() > endsAt;
    const callers = Array.from({ length: CALLERS }, async () => {
      while (!isOver()) await this.#callOnce();
    });
    const disturb = async () => {
      while (!isOver()) {
        await sleep(1000 + this.#random.between(0, 1000));
        const name = this.#random.pick(Object.keys(troubles));
        print(name);
        await troubles[name]!();
      }
    };
    await Promise.all([...callers, disturb()]);
    await until(async () => (await this.#connections()) <= 2 * CALLERS * COMMANDS.length);
    const before = await this.#connections();
    await Promise.all(Array.from({ length: CALLERS }, () => this.#callOnce()));
    if ((await this.#connections()) > before + CALLERS) this.report.faults.push('connections leak');
  }

  async #connections(): Promise<number> {
    const infos = await this.#servers.everywhere('INFO', 'clients');
    return infos.reduce<number>((sum, info) => sum + Number(/connected_clients:(\d+)/.exec(String(info))![1]), 0);
  }

  /** One call, and where it failed, whether `retryable` was true. */
  async #callOnce(): Promise<void> {
    const { faults, failures } = this.report;
    const [operation, parameters] = this.#random.pick(COMMANDS)(this.#random.pick(KEYS));
    const call = async () => {
      this.report.calls++;
      const timer = sleep(BOUND_MS, undefined, { ref: false }).then(() => undefined);
      const posted = this.#lambda.post(`/stream/${operation}`, parameters, { timeoutMs: TIMEOUT_MS });
      const response = await Promise.race([posted, timer]);
      if (!response) faults.push(`${operation} hangs`);
      return response;
    };
    const first = await call();
    if (!first || first.status < 400) return;
    const { type, retryable } = first.json as { type: string; retryable: boolean };
    const name = `${type} ${first.status}`;
    failures[name] = (failures[name] ?? 0) + 1;
    // on a busy machine Secrets Manager, of this process, does not answer in time
    const isLate = type === 'CONNECTOR:CONFIGURATION' && retryable;
    if (!ALLOWED.has(name) && !isLate) faults.push(`${operation}: ${first.text}`);
    if (!retryable) return;
    for (let attempt = 0; attempt < 30; attempt++) {
      await sleep(300);
      const again = await call();
      if (!again || again.status < 400 || !(again.json as { retryable: boolean }).retryable) return;
    }
    faults.push(`${operation}: ${name} is retryable, and no retry succeeded`);
  }
}

/**
 * Lets fifty callers send random commands for so long, while one server is cut off, killed, refuses what it is asked
 * and is given another password, or a cluster fails over and moves slots. No call may hang, no connection leak, every
 * error be one of the table, and its `retryable` true.
 */
export async function playCallers(
  redis: Extract<World['redis'], 'server' | 'cluster'>,
  { ms, seed, print = () => {} }: { ms: number; seed: number; print?: (line: string) => void },
): Promise<CallsReport> {
  const servers = await startServers({ redis, linkMs: 0 }, true);
  const secrets = await startSecretsManager();
  let changes = 0;
  const setSecret = () => {
    const login = `worker:${PASSWORDS[changes % 2]}`;
    secrets.set('test/default', { redis: { ...servers.secretFor(login), commandTimeoutMs: 2000 } });
  };
  const allowPasswords = () =>
    servers.everywhere(
      'ACL',
      'SETUSER',
      'worker',
      'on',
      'allkeys',
      'allcommands',
      ...PASSWORDS.map((one) => `>${one}`),
    );
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
        async move() {
          for (const key of KEYS) await servers.moveSlot(key, () => Promise.resolve());
        },
      };
  if (single) await allowPasswords();
  setSecret();
  await servers.send('text', 'SET', 'text', 'x');
  const lambda = await startContainer(secrets, single && { CONNECTOR_SECRET_TTL_MS: '500' });
  try {
    const callers = new Callers(lambda, servers, new Random(seed));
    await callers.call(troubles, ms, print);
    return callers.report;
  } finally {
    await Promise.all([lambda.stop(), secrets.close(), servers.stop()]);
  }
}
