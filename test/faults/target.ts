import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { Sessions } from '#sandbox/mdm/tenant/sessions.ts';
import { listen } from '#sandbox/network/listen.ts';
import { Random } from '#test/support/random.ts';
import type { Ledger } from './ledger.ts';
import { FAILINGS, type Failing, type World } from './world.ts';

export const USER = { username: 'faults', password: 'first' };

/** What the target does when it is out of service as a whole. */
export type Outage = 'refuses' | 'resets' | 'hangs';

export interface Target {
  /** Both APIs: of the MDM, and of Lambda. */
  readonly url: string;
  /** The user of the MDM. */
  readonly sessions: Sessions;
  outage: Outage | undefined;
  /** Entries that are on their way now. */
  readonly underWay: ReadonlySet<number>;
  /** From now on it takes what it failed: whatever the cause was, it is repaired. */
  heal(): void;
  /** When each call of the target began, in order. */
  readonly callsAt: readonly number[];
  /** Most calls at a time. */
  readonly mostAtATime: number;
  /** What the attempts so far took, added up over all; and of the key that had most, in milliseconds. */
  readonly busyMs: number;
  readonly longestKeyMs: number;
  close(): Promise<void>;
}

interface TargetParts {
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

/**
 * The target of a world, whichever it is. What an attempt comes to depends on the seed, the entry, and how many attempts
 * it had, not on when it comes: a seed repeats it.
 */
export async function startTarget({ world, ledger, invoked }: TargetParts): Promise<Target> {
  const { seed, target: settings } = world;
  const sessions = new Sessions(USER.username, USER.password);
  const attempts = new Map<number, number>();
  const underWay = new Set<number>();
  const keyMs = new Map<string, number>();
  const callsAt: number[] = [];
  let atATime = 0;
  let isHealed = false;

  /** How an attempt of these together ends, how long that takes, and the draws of each. */
  const draw = (ns: readonly number[]): { outcome: Outcome; ms: number; random: Random } => {
    const [first] = ns as [number];
    const random = Random.of(seed, 'attempt', first, attempts.get(first) ?? 0);
    const ms = settings.latencyMs * (random.happens(0.05) ? 3 : 0.5 + random.next());
    for (const n of ns) attempts.set(n, (attempts.get(n) ?? 0) + 1);
    ledger.attempts++;
    let chance = random.next();
    for (const failing of FAILINGS) {
      chance -= isHealed ? 0 : settings.fails[failing];
      if (chance < 0) return { outcome: failing, ms, random };
    }
    return { outcome: 'takes', ms, random };
  };

  const isFailing = (n: number) => !isHealed && ledger.entries.get(n)!.fate === 'failing';

  /** Does it, and returns the response: undefined where there is none. `failed` are those of a batch that failed. */
  const attempt = async (ns: readonly number[], response: ServerResponse) => {
    const { outcome, ms, random } = draw(ns);
    const isGone = () => response.socket?.destroyed !== false;
    const failAll = (kind: 'own' | 'refused' | 'other') => ns.forEach((n) => ledger.fail(n, kind));
    for (const n of ns) {
      underWay.add(n);
      ledger.begin(n);
    }
    const beganAt = performance.now();
    callsAt.push(beganAt);
    target.mostAtATime = Math.max(target.mostAtATime, ++atATime);
    try {
      const isAway = target.outage ?? { reset: 'resets' as const, hangs: 'hangs' as const, outage: 'refuses' as const }[outcome as string]; // prettier-ignore
      if (isAway === 'hangs') {
        await new Promise((resolve) => response.once('close', resolve));
        return void failAll('other');
      }
      if (isAway === 'resets') {
        response.socket?.destroy();
        return void failAll('other');
      }
      await sleep(ms);
      if (isGone()) return void failAll(settings.kind === 'lambda' ? 'own' : 'other'); // given up
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
      const failed = new Set<number>();
      for (const n of ns) {
        const { fate } = ledger.entries.get(n)!;
        const fails = fate === 'refused' || isFailing(n) || (outcome === 'partial' && random.happens(0.3));
        // whoever takes entries of one key in order ends at the first that fails
        if (fails || (failed.size > 0 && !settings.isKeyed)) {
          failed.add(n);
          ledger.fail(n, fate === 'refused' ? 'refused' : 'own');
        } else ledger.take(n);
      }
      if (outcome === 'loses') {
        for (const n of ns) if (!failed.has(n)) ledger.fail(n, 'other');
        return void response.socket?.destroy();
      }
      return { failed };
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
    const outcome = await attempt(sent.map((one) => Number(one.entry.n)), response); // prettier-ignore
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
    if (pathname.endsWith('/login')) {
      const { username, password } = JSON.parse(body) as typeof USER;
      const sessionId = sessions.open(username, password);
      if (sessionId === undefined) return respond(response, 401, { error: { code: 'AUTH_01' } });
      return respond(response, 200, { userInfo: { sessionId }, products: [] });
    }
    if (!sessions.use(String(request.headers['ids-session-id']))) {
      ledger.fail((JSON.parse(body) as Sent).n, 'other');
      return respond(response, 401, { errorCode: 'SESSION' });
    }
    return submit(body, response);
  };

  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    serve(request, response).catch(() => response.destroy()); // the caller was killed
  });
  const { url, close } = await listen(server);
  const target = {
    ...{ url, sessions, underWay, close, callsAt, busyMs: 0, longestKeyMs: 0, mostAtATime: 0 },
    outage: undefined as Outage | undefined,
    heal: () => void (isHealed = true),
  };
  return target;
}

function respond(response: ServerResponse, status: number, body: object, headers = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}
