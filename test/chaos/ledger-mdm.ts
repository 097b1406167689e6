import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { Sessions } from '#sandbox/mdm/tenant/sessions.ts';
import type { Ledger } from './ledger.ts';
import type { Random } from '#test/support/random.ts';
import { listen } from '#sandbox/network/listen.ts';

/** How often the MDM does what, 0 to 1. */
export interface Faults {
  /** 500, 429 with Retry-After, 503, before anything is taken. */
  refuses: number;
  /** Ends the connection before it takes the record. */
  resets: number;
  /** Takes the record, and ends the connection instead of responding. */
  losesResponses: number;
  /** Does not take the record, and never responds. */
  hangs: number;
}

export const NO_FAULTS: Faults = { refuses: 0, resets: 0, losesResponses: 0, hangs: 0 };
/** Retry-After stops everything, so it is rare. */
const REFUSALS = [429, 500, 500, 500, 500, 503, 503, 503, 503];

/** What keys do that begin with `bad`: a status, or no response at all. */
export type BadKeys = number | 'hang';

export interface LedgerMdm {
  readonly url: string;
  /** The one user, and how often it logged in. */
  readonly sessions: Sessions;
  faults: Faults;
  /** How it treats keys that begin with `bad`. Default: as others. */
  badKeys: BadKeys | undefined;
  /** Submits so far. */
  attempts: number;
  /** Submits of keys that begin with `bad`, while they were treated as such. */
  badAttempts: number;
  /** When each key was taken last, by `performance.now()`. */
  readonly takenAt: Map<string, number>;
  close(): Promise<void>;
}

export const USER = { username: 'chaos', password: 'first' };

/** As much of the MDM as a login and a submit need, which writes down in the ledger what it takes. */
export async function startLedgerMdm(ledger: Ledger, random: Random, latencyMs: () => number): Promise<LedgerMdm> {
  const respond = (response: ServerResponse, status: number, body: object, headers = {}) =>
    void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));

  const logIn = (body: string, response: ServerResponse) => {
    const { username, password } = JSON.parse(body) as typeof USER;
    const sessionId = mdm.sessions.open(username, password);
    if (sessionId === undefined) return respond(response, 401, { error: { code: 'AUTH_01' } });
    respond(response, 200, { userInfo: { sessionId }, products: [] });
  };

  const submit = async (url: URL, body: string, request: IncomingMessage, response: ServerResponse) => {
    const record = JSON.parse(body) as { seq: number; broken?: boolean };
    const key = url.searchParams.get('sourcePKey')!;
    const { refuses, resets, losesResponses, hangs } = mdm.faults;
    mdm.attempts++;
    if (mdm.badKeys !== undefined && key.startsWith('bad')) {
      mdm.badAttempts++;
      if (mdm.badKeys === 'hang') return;
      await sleep(latencyMs());
      return respond(response, mdm.badKeys, { errorCode: 'CHAOS_BAD' });
    }
    if (random.happens(hangs)) return;
    if (random.happens(resets)) return void request.socket.destroy();
    await sleep(latencyMs());
    if (random.happens(refuses)) {
      const status = REFUSALS[random.between(0, REFUSALS.length - 1)]!;
      return respond(response, status, { errorCode: 'CHAOS' }, status === 429 ? { 'retry-after': '1' } : {});
    }
    if (record.broken) return respond(response, 422, { errorCode: 'CHAOS_BROKEN' });
    ledger.take(key, record.seq);
    mdm.takenAt.set(key, performance.now());
    if (random.happens(losesResponses)) return void request.socket.destroy();
    respond(response, 200, { approvalRequired: false, id: key, businessId: key });
  };

  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url!, mdm.url);
    const body = await text(request);
    if (url.pathname.endsWith('/login')) return logIn(body, response);
    if (!mdm.sessions.use(String(request.headers['ids-session-id']))) {
      return respond(response, 401, { errorCode: 'CHAOS_SESSION' });
    }
    return submit(url, body, request, response);
  };

  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    serve(request, response).catch(() => response.destroy()); // the consumer was killed
  });
  const { url, close } = await listen(server);
  const mdm: LedgerMdm = {
    url,
    sessions: new Sessions(USER.username, USER.password),
    faults: NO_FAULTS,
    badKeys: undefined,
    attempts: 0,
    badAttempts: 0,
    takenAt: new Map(),
    close,
  };
  return mdm;
}
