import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { startSecretsManager } from '#sandbox/aws/secrets-manager.ts';
import { Sessions } from '#sandbox/mdm/tenant/sessions.ts';
import { listen } from '#sandbox/network/listen.ts';
import { startRedisServer } from '#sandbox/redis/redis-server.ts';
import { startContainer } from '#test/support/aws/container.ts';
import { Random } from '#test/support/random.ts';
import { startTcpProxy } from '#test/support/redis/tcp-proxy.ts';
import { Callers, type Call, type CallersPlay, type CallsReport, type Troubles } from './callers.ts';
import { respond, respondToLogin, USER } from './target.ts';

const CONTAINERS = 3;
/** Of each answer of the API. */
const LATENCY_MS = 5;
const MDM_TIMEOUT_MS = 1000;
const SECRET_TTL_MS = 500;
const LONGEST_TROUBLE_MS = 2500;

/** Errors that the table of docs/errors.md knows. */
const ALLOWED = new Set([
  'MDM:CLIENT_ERROR 422',
  'MDM:CLIENT_ERROR 429',
  'MDM:CLIENT_ERROR 502', // a session, or a login, that was refused
  'MDM:SERVER_ERROR 502',
  'MDM:TIMEOUT 504',
  'MDM:CONNECTIVITY 503',
]);

/** What the API does with a request in place of its answer: before it carries it out, or after that. */
const BEFORE = ['resets', 'fails', 'is away', 'throttles', 'refuses', 'hangs'] as const;
const AFTER = ['resets', 'answers in part', 'answers no JSON', 'hangs'] as const;
/** Of its answers, in either way, while it is well. */
const FLAKY = 0.05;

const CITY = { businessEntity: 'c360.city', sourceSystem: 'faults' };
const GOLDEN = { businessEntity: 'c360.city', businessId: 'x' };
/** JSON Patch of a list, which grows if it is done twice. */
const addition = (n: string) => [{ op: 'add', path: '/list/-', value: { n } }];
/** Calls with so many changes, each with its number as the field `n`; those that may not be made twice are marked. */
const CALLS: readonly [
  count: number,
  isOnce: boolean,
  (ns: readonly string[]) => [route: string, parameters: object],
][] = [
  [0, false, () => ['/mdm/master-read', GOLDEN]],
  [0, false, () => ['/mdm/source-delete', { ...CITY, sourcePKey: 'gone' }]],
  [1, false, ([n]) => ['/mdm/source-submit', { ...CITY, sourcePKey: n, record: { n } }]],
  [1, true, ([n]) => ['/mdm/source-submit', { ...CITY, record: { n } }]],
  [1, false, ([n]) => ['/mdm/source-replace', { ...CITY, sourcePKey: n, record: { n } }]],
  [1, true, ([n]) => ['/mdm/source-patch', { ...CITY, sourcePKey: n, operations: addition(n!) }]],
  [1, false, ([n]) => ['/mdm/master-update', { ...GOLDEN, ...CITY, sourcePKey: n, record: { n } }]],
  [1, true, ([n]) => ['/mdm/master-update', { ...GOLDEN, ...CITY, record: { n } }]],
  [1, true, ([n]) => ['/mdm/master-patch', { ...GOLDEN, ...CITY, operations: addition(n!) }]],
  [1, true, ([n]) => ['/mdm/http-request', { method: 'POST', path: '/things', body: { n } }]],
  [
    4,
    false,
    (ns) => ['/mdm/source-submit-batch', { ...CITY, records: ns.map((n) => ({ sourcePKey: n, record: { n } })) }],
  ],
];

function drawCall(random: Random, name: () => string): Call {
  const [count, isOnce, parametersOf] = random.pick(CALLS);
  const changes = Array.from({ length: count }, name);
  const [route, parameters] = parametersOf(changes);
  return { route, parameters, changes, isOnce };
}

/** A master data API that fails as it is told. */
class FailingMdm {
  readonly sessions: Sessions;
  readonly #random: Random;
  readonly #made = new Map<string, number>();
  /** What it does with every request; undefined while it is well. */
  state: (typeof BEFORE)[number] | undefined;
  /** The same of its login. */
  loginState: 'resets' | 'is away' | 'hangs' | undefined;

  constructor(random: Random) {
    this.#random = random;
    this.sessions = new Sessions(USER.username, USER.password, { kind: random.pick(['opaque', 'jwt']) });
  }

  /** How often it made a change. */
  madeOf = (name: string): number => this.#made.get(name) ?? 0;

  async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    await sleep(LATENCY_MS);
    if (request.url!.endsWith('/login')) {
      return this.loginState ? fail(response, this.loginState) : respondToLogin(this.sessions, body, response);
    }
    if (!this.sessions.use(String(request.headers['ids-session-id']))) {
      return respond(response, 401, { errorCode: 'SESSION' });
    }
    if (this.state) return fail(response, this.state);
    if (this.#random.happens(FLAKY)) return fail(response, this.#random.pick(BEFORE));
    const [, n] = /"n":"(\d+)"/.exec(body) ?? [];
    if (n !== undefined) this.#made.set(n, this.madeOf(n) + 1);
    if (this.#random.happens(FLAKY)) return fail(response, this.#random.pick(AFTER));
    respond(response, 200, { approvalRequired: false, id: 'x', businessId: 'x', _meta: {} });
  }
}

function fail(response: ServerResponse, how: (typeof BEFORE)[number] | (typeof AFTER)[number]): void {
  if (how === 'fails') return respond(response, 500, { errorCode: 'FAILED' });
  if (how === 'is away') return respond(response, 503, { errorCode: 'AWAY' });
  if (how === 'throttles') return respond(response, 429, { errorCode: 'BUSY' }, { 'retry-after': '1' });
  if (how === 'refuses') return respond(response, 422, { errorCode: 'REFUSED' });
  if (how === 'answers no JSON') return void response.writeHead(200).end('<html>');
  if (how === 'answers in part') {
    response.writeHead(200, { 'content-length': '100' }).write('{');
    setTimeout(() => response.destroy(), 5);
  }
  if (how === 'resets') response.destroy();
  // otherwise it never answers
}

/**
 * Callers of operations on the master data API, in several containers, which share a session or not, while the API
 * fails, ends sessions, is given another password, or cannot be reached; or Redis, which holds the session.
 */
export async function playMdmCallers({ ms, seed, print = () => {} }: CallersPlay): Promise<CallsReport> {
  const random = new Random(seed);
  const mdm = new FailingMdm(random);
  const server = createServer((request, response) => {
    mdm.serve(request, response).catch(() => response.destroy()); // the caller has left
  });
  const { url, close } = await listen(server);
  const [proxy, redis] = await Promise.all([startTcpProxy(Number(new URL(url).port)), startRedisServer()]);
  const redisProxy = await startTcpProxy(redis.port);
  const secrets = await startSecretsManager();
  const baseUrl = `http://127.0.0.1:${proxy.port}`;
  const isShared = random.happens(0.5);
  const setSecret = () => {
    const auth = { type: 'login-v3', loginUrl: baseUrl, username: USER.username, password: mdm.sessions.password };
    secrets.set('test/default', {
      redis: { url: `redis://127.0.0.1:${redisProxy.port}`, connectTimeoutMs: 500, commandTimeoutMs: 1000 },
      mdm: { auth, baseUrl, timeoutMs: MDM_TIMEOUT_MS, ...(isShared && { sessionStore: 'redis' }) },
    });
  };
  const forSomeTime = () => sleep(random.between(100, LONGEST_TROUBLE_MS));
  const during = (state: FailingMdm['state']) => async () => {
    mdm.state = state;
    await forSomeTime();
    mdm.state = undefined;
  };
  const silence = async (way: typeof proxy) => {
    way.stall();
    await forSomeTime();
    way.cut();
    way.pass();
  };
  const troubles: Troubles = {
    away: during('is away'),
    resets: during('resets'),
    hangs: during('hangs'),
    throttles: during('throttles'),
    cut: () => proxy.cut(),
    reply: () => proxy.cutReply(),
    silence: () => silence(proxy),
    sessions: () => mdm.sessions.expireAll(),
    async password() {
      mdm.sessions.password += "'"; // never one that was refused a short time ago
      if (random.happens(0.5)) mdm.sessions.expireAll();
      await forSomeTime();
      setSecret();
      await sleep(SECRET_TTL_MS);
    },
    async login() {
      mdm.loginState = random.pick(['resets', 'is away', 'hangs']);
      mdm.sessions.expireAll();
      await forSomeTime();
      mdm.loginState = undefined;
    },
    redis: () => silence(redisProxy),
    notes: () => redis.command('FLUSHALL'),
    async suspended() {
      const lambda = random.pick(lambdas);
      lambda.kill('SIGSTOP');
      await forSomeTime();
      lambda.kill('SIGCONT');
    },
  };
  setSecret();
  const start = () => startContainer(secrets, { CONNECTOR_SECRET_TTL_MS: String(SECRET_TTL_MS) });
  const lambdas = await Promise.all(Array.from({ length: CONTAINERS }, start));
  try {
    const callers = new Callers({ lambdas, random, draw: drawCall, allowed: ALLOWED });
    await callers.call(troubles, ms, print);
    await sleep(MDM_TIMEOUT_MS); // what was given up may still be made
    callers.report.faults.push(...callers.changes.faults(mdm.madeOf));
    return callers.report;
  } finally {
    await Promise.all(lambdas.map((lambda) => lambda.stop()));
    await Promise.all([proxy.close(), redisProxy.close(), redis.stop(), secrets.close(), close()]);
  }
}
