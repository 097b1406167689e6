import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { Sessions } from '#sandbox/mdm/tenant/sessions.ts';
import { listen } from '#sandbox/network/listen.ts';
import { Random } from '#test/support/random.ts';
import type { Ledger } from './ledger.ts';
import { FAILINGS, type Failing, type World } from './world.ts';

export const USER = { username: 'faults', password: 'first' };

/** What the target does while it is out of service. */
export type Outage = 'refuses' | 'resets' | 'hangs';

export interface FaultyTarget {
  /** Both APIs: of the MDM, and of Lambda. */
  readonly url: string;
  /** The user of the MDM. */
  readonly sessions: Sessions;
  outage: Outage | undefined;
  /** Entries in flight. */
  readonly underWay: ReadonlySet<number>;
  /** Repairs the cause of all failures: from now on it accepts what it failed. */
  heal(): void;
  /** When each call of the target began, in order. */
  readonly callsAt: readonly number[];
  /** Most calls at a time. */
  readonly mostAtATime: number;
  /** Total duration of all attempts so far, and of those of the key that had most, in milliseconds. */
  readonly busyMs: number;
  readonly longestKeyMs: number;
  close(): Promise<void>;
}

interface FaultyTargetOptions {
  readonly world: World;
  readonly ledger: Ledger;
  /** Another function than the target was invoked, asynchronously: the consumer. */
  readonly invoked: (payload: object) => void;
}

/** An entry in the body of a submit, or in the payload of a Lambda. */
interface Sent {
  readonly n: number;
}

type Outcome = 'takes' | Failing;

/** How an attempt ends, how long that takes, and the draws of its entries. */
interface Draw {
  readonly outcome: Outcome;
  readonly ms: number;
  readonly random: Random;
}

/** Outages of a single attempt. */
const AWAY: Partial<Record<Outcome, Outage>> = { reset: 'resets', hangs: 'hangs', outage: 'refuses' };

/**
 * The target of a world: an MDM or a Lambda. The result of an attempt depends on the seed, the entry and its number of
 * attempts, not on the time, so that a seed repeats it.
 */
export async function startTarget({ world, ledger, invoked }: FaultyTargetOptions): Promise<FaultyTarget> {
  const { seed, target: settings } = world;
  const sessions = new Sessions(USER.username, USER.password);
  const attempts = new Map<number, number>();
  const underWay = new Set<number>();
  const keyMs = new Map<string, number>();
  const callsAt: number[] = [];
  let atATime = 0;
  let isHealed = false;

  /** Draws for an attempt of these entries together. */
  const draw = (ns: readonly number[]): Draw => {
    const [first] = ns as [number];
    const random = Random.of(seed, 'attempt', first, attempts.get(first) ?? 0);
    const ms = settings.latencyMs * (random.happens(0.05) ? 3 : 0.5 + random.next());
    for (const n of ns) attempts.set(n, (attempts.get(n) ?? 0) + 1);
    let chance = random.next();
    for (const failing of FAILINGS) {
      chance -= isHealed ? 0 : settings.fails[failing];
      if (chance < 0) return { outcome: failing, ms, random };
    }
    return { outcome: 'takes', ms, random };
  };

  const isFailing = (n: number) => !isHealed && ledger.entries.get(n)!.fate === 'failing';

  /** Each entry of a batch by its fate and the draws. Returns those that failed. */
  const carry = (ns: readonly number[], { outcome, random, call }: Draw & { call: number }): Set<number> => {
    const failed = new Set<number>();
    for (const n of ns) {
      const { fate } = ledger.entries.get(n)!;
      const fails = fate === 'refused' || isFailing(n) || (outcome === 'partial' && random.happens(0.3));
      // whoever takes entries of one key in order ends at the first that fails
      if (failed.size > 0 && !settings.isKeyed) failed.add(n);
      else if (fails) {
        failed.add(n);
        ledger.fail(n, fate === 'refused' ? 'refused' : 'own');
      } else ledger.take(n, call);
    }
    return failed;
  };

  /** Decides the response to an attempt: undefined where there is none. `failed` are those of a batch that failed. */
  const respondTo = async (ns: readonly number[], response: ServerResponse, drawn: Draw, call: number) => {
    const { outcome, ms } = drawn;
    const failAll = (kind: 'own' | 'refused' | 'other', which = ns) => {
      for (const n of which) ledger.fail(n, ns.length > 1 ? 'batch' : kind);
    };
    const isAway = target.outage ?? AWAY[outcome];
    if (isAway === 'hangs') {
      await new Promise((resolve) => response.once('close', resolve));
      return void failAll('other');
    }
    if (isAway === 'resets') {
      response.socket?.destroy();
      return void failAll('other');
    }
    await sleep(ms);
    const hasCallerLeft = response.socket?.destroyed !== false;
    if (hasCallerLeft) return void failAll(settings.kind === 'lambda' ? 'own' : 'other');
    if (isAway === 'refuses' || outcome === 'throttle') {
      failAll('other');
      return outcome === 'throttle' && isAway === undefined ? 'throttled' : 'unavailable';
    }
    if (outcome === 'forbidden') {
      failAll('refused');
      return 'forbidden';
    }
    if (outcome === 'own') {
      failAll('own');
      return 'failed';
    }
    const failed = carry(ns, { ...drawn, call });
    if (outcome === 'loses') {
      const taken = ns.filter((n) => !failed.has(n));
      failAll('other', taken);
      return void response.socket?.destroy();
    }
    return { failed };
  };

  /** Plays an attempt, and keeps account of it. */
  const attempt = async (ns: readonly number[], response: ServerResponse) => {
    const drawn = draw(ns);
    const call = ++ledger.attempts;
    for (const n of ns) {
      underWay.add(n);
      ledger.begin(n);
    }
    const beganAt = performance.now();
    callsAt.push(beganAt);
    target.mostAtATime = Math.max(target.mostAtATime, ++atATime);
    try {
      return await respondTo(ns, response, drawn, call);
    } finally {
      atATime--;
      const took = performance.now() - beganAt;
      target.busyMs += took;
      for (const n of ns) underWay.delete(n);
      const { key } = ledger.entries.get(ns[0]!)!;
      keyMs.set(key, (keyMs.get(key) ?? 0) + took);
      target.longestKeyMs = Math.max(target.longestKeyMs, keyMs.get(key)!);
    }
  };

  const submit = async (body: string, response: ServerResponse) => {
    const { n } = JSON.parse(body) as Sent;
    const outcome = await attempt([n], response);
    if (outcome === undefined) return;
    if (outcome === 'throttled') return respond(response, 429, { errorCode: 'BUSY' }, { 'retry-after': '1' });
    if (outcome === 'unavailable') return respond(response, 503, { errorCode: 'AWAY' });
    if (outcome === 'forbidden') return respond(response, 403, { errorCode: 'FORBIDDEN' });
    if (outcome === 'failed') return respond(response, 500, { errorCode: 'FAILED' });
    if (outcome.failed.size === 0) return respond(response, 200, { approvalRequired: false, id: 'x', businessId: 'x' });
    respond(response, ledger.entries.get(n)!.fate === 'refused' ? 422 : 500, { errorCode: 'BROKEN' });
  };

  const invoke = async (body: string, response: ServerResponse) => {
    const { entry, entries } = JSON.parse(body) as {
      entry?: Record<string, string>;
      entries?: { id: string; entry: Record<string, string> }[];
    };
    const sent = entries ?? [{ id: '', entry: entry! }];
    const ns = sent.map((one) => Number(one.entry.n));
    const outcome = await attempt(ns, response);
    if (outcome === undefined) return;
    const error = (name: string) => ({ 'x-amzn-errortype': name });
    if (outcome === 'throttled') return respond(response, 429, {}, error('TooManyRequestsException'));
    if (outcome === 'unavailable') return respond(response, 503, {}, error('ServiceException'));
    const fail = () =>
      respond(response, 200, { errorType: 'Faulty', errorMessage: 'x' }, { 'x-amz-function-error': 'Unhandled' });
    if (outcome === 'failed' || outcome === 'forbidden') return fail();
    if (!entries) return outcome.failed.size > 0 ? fail() : respond(response, 200, {});
    const failed = entries.filter((one) => outcome.failed.has(Number(one.entry.n)));
    respond(response, 200, { batchItemFailures: failed.map(({ id }) => ({ itemIdentifier: id })) });
  };

  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await text(request);
    const { pathname } = new URL(request.url!, 'http://target');
    if (pathname.endsWith('/invocations')) {
      if (request.headers['x-amz-invocation-type'] !== 'Event') return invoke(body, response);
      invoked(JSON.parse(body) as object);
      return respond(response, 202, {});
    }
    if (pathname.endsWith('/login')) return respondToLogin(sessions, body, response);
    if (!sessions.use(String(request.headers['ids-session-id']))) {
      ledger.fail((JSON.parse(body) as Sent).n, 'session');
      return respond(response, 401, { errorCode: 'SESSION' });
    }
    return submit(body, response);
  };

  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy()); // the caller was killed
  });
  const { url, close } = await listen(server);
  const target = {
    url,
    sessions,
    underWay,
    close,
    callsAt,
    busyMs: 0,
    longestKeyMs: 0,
    mostAtATime: 0,
    outage: undefined as Outage | undefined,
    heal: () => void (isHealed = true),
  };
  return target;
}

/** Opens a session for the user of the MDM, or refuses the login. */
export function respondToLogin(sessions: Sessions, body: string, response: ServerResponse): void {
  const { username, password } = JSON.parse(body) as typeof USER;
  const sessionId = sessions.open(username, password);
  if (sessionId === undefined) return respond(response, 401, { error: { code: 'AUTH_01' } });
  respond(response, 200, { userInfo: { sessionId }, products: [] });
}

/** Answers with JSON. */
export function respond(response: ServerResponse, status: number, body: object, headers = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}
