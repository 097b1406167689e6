import type { MdmConfig } from '../runtime/config.schema.ts';
import { Deadline } from '../core/deadline.ts';
import { ConnectorError } from '../core/errors.ts';
import { traceHeaders } from '../core/trace.ts';
import type { Invocation } from '../runtime/invocation.ts';
import { errorOf } from './errors.ts';
import type { Session } from './login.ts';
import { withRetries } from './retry.ts';
import { readMdmConfig, sessionKeeper, type SessionKeeper } from './session.ts';
import { exchange, type HttpResponse } from './transport.ts';

export interface MdmRequest {
  readonly method: 'GET' | 'HEAD' | 'OPTIONS' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Under the base URL, encoded; `pathOf` makes one. */
  readonly path: string;
  /** Sent where the value is given; a list repeats the name. */
  readonly query?: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** Whether sending it twice does no harm, so that it may be tried again. */
  readonly idempotent: boolean;
  /** Values, record keys above all, that must not stand in an error even where the API repeats them. */
  readonly secrets?: () => readonly string[];
}

/** The master data API, through the session of a configuration. */
export interface MdmClient {
  readonly config: MdmConfig;
  /**
   * Sends a request. A session that the API refuses is renewed once, and the same body sent again.
   *
   * @throws {ConnectorError} `MDM:*` for every answer that is no success.
   */
  send(request: MdmRequest): Promise<HttpResponse>;
}

export interface MdmClientOptions {
  /** How often an idempotent call is tried in all. Default 3. */
  readonly attempts?: number;
}

/** Opens the master data API for an invocation. */
export async function mdmClient(invocation: Invocation, { attempts = 3 }: MdmClientOptions = {}): Promise<MdmClient> {
  const { configRef, connector, deadline } = invocation;
  const config = await readMdmConfig(configRef, connector);
  const keeper = sessionKeeper(configRef, connector);
  return {
    config,
    send(request) {
      const once = () => sendInSession(request, { config, keeper, deadline });
      return withRetries(once, { attempts: request.idempotent ? attempts : 1, deadline });
    },
  };
}

interface Means {
  readonly config: MdmConfig;
  readonly keeper: SessionKeeper;
  readonly deadline: Deadline;
}

async function sendInSession(request: MdmRequest, means: Means): Promise<HttpResponse> {
  const { config, keeper, deadline } = means;
  const session = await inTime(keeper.current(config), deadline);
  const answer = await sendOnce(request, session, means);
  if (answer.status !== 401 || config.auth.type === 'session') return successOf(answer, session, request);
  const renewed = await inTime(keeper.renew(session, config), deadline);
  return successOf(await sendOnce(request, renewed, means), renewed, request);
}

function sendOnce(request: MdmRequest, session: Session, { config, deadline }: Means): Promise<HttpResponse> {
  const url = new URL(session.baseUrl + request.path);
  for (const [name, value] of Object.entries(request.query ?? {})) {
    for (const item of [value ?? []].flat()) url.searchParams.append(name, item);
  }
  const headers = mergeHeaders(
    { accept: 'application/json' },
    traceHeaders(),
    request.body === undefined ? {} : { 'content-type': 'application/json' },
    config.headers,
    request.headers ?? {},
    { 'ids-session-id': session.id },
  );
  return exchange({ method: request.method, url, headers, body: request.body }, config, deadline);
}

/** Of headers that are given twice, in whatever case, the last. */
function mergeHeaders(...sets: Readonly<Record<string, string>>[]): Record<string, string> {
  const merged: Record<string, string> = {};
  for (const set of sets) for (const name in set) merged[name.toLowerCase()] = set[name]!;
  return merged;
}

function successOf(answer: HttpResponse, session: Session, request: MdmRequest): HttpResponse {
  if (answer.status >= 200 && answer.status < 300) return answer;
  throw errorOf(answer, [session.id, ...(request.secrets?.() ?? [])]);
}

/** A login is shared by calls with deadlines of their own; none waits for it past its own. */
async function inTime(session: Session | Promise<Session>, deadline: Deadline): Promise<Session> {
  if (!(session instanceof Promise)) return session;
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => reject(new ConnectorError('MDM:TIMEOUT', 'The login to the master data API was not answered in time')),
    deadline.within(Infinity),
  );
  try {
    return await Promise.race([session, late]);
  } finally {
    clearTimeout(timer);
  }
}
