import { inTime } from '../../core/abort.ts';
import type { Deadline } from '../../core/deadline.ts';
import { ConnectorError } from '../../core/errors.ts';
import { traceHeaders } from '../../core/trace.ts';
import type { MdmConfig } from '../../runtime/config.schema.ts';
import type { Invocation } from '../../runtime/invocation.ts';
import { errorOf } from '../exchange/errors.ts';
import { mergeHeaders } from '../exchange/headers.ts';
import { withoutSession } from '../session/hidden-session.ts';
import type { Session } from '../session/login.ts';
import { mdmOf, readMdmConfig } from '../session/mdm-config.ts';
import { withRetries } from './retry.ts';
import { sessionKeeper, type SessionKeeper } from '../session/session.ts';
import { exchange, type HttpResponse } from '../exchange/transport.ts';

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
  /** Status that is a success once an attempt before may have been carried out: 404, of a DELETE. */
  readonly doneStatus?: number;
  /** Ends the exchange early, as if its time were over. */
  readonly signal?: AbortSignal;
  /** Whether the caller sees headers and body of the response as they are, so that they must not repeat the session. */
  readonly showsResponse?: boolean;
  /**
   * Values that must not stand in an error even where the API repeats them: keys as texts, masked whatever their length;
   * records and lists as they are, masked from three characters on. Asked for when a call has failed.
   */
  readonly secrets?: () => readonly unknown[];
  /** The same of texts that may as well be words of the API's own, of a path and of headers. */
  readonly words?: () => readonly string[];
}

/** The master data API, through the session of a configuration. */
export interface MdmClient {
  readonly config: MdmConfig;
  /**
   * Sends a request. A session that the API refuses is renewed, and the same body sent again.
   *
   * @throws {ConnectorError} `MDM:*` for every response that is no success.
   */
  send(request: MdmRequest): Promise<HttpResponse>;
}

export interface MdmClientOptions {
  /** How often a call is tried in all. Default 3. */
  readonly attempts?: number;
}

/** How often a request is sent again with another session: an older one, a shared one and a new one may end in turn. */
const MAX_RENEWALS = 3;

/** Opens the master data API for an invocation. */
export async function mdmClient(invocation: Invocation, { attempts = 3 }: MdmClientOptions = {}): Promise<MdmClient> {
  const { configRef, connector, deadline } = invocation;
  const config = mdmOf(await invocation.config(), configRef);
  const keeper = sessionKeeper(configRef, connector);
  const readSettings = () => readMdmConfig(configRef, connector, deadline);
  const send = async (request: MdmRequest, mayBeDone: boolean) => {
    const config = await readSettings(); // as it is by now: credentials change in long invocations
    return new Call(request, config, keeper, deadline, mayBeDone ? request.doneStatus : undefined).send();
  };
  return {
    config,
    send: (request) => withRetries((mayBeDone) => send(request, mayBeDone), { ...request, attempts, deadline }),
  };
}

/** One request, sent again with a new session where the API refuses the old one. */
class Call {
  readonly #request: MdmRequest;
  readonly #config: MdmConfig;
  readonly #keeper: SessionKeeper;
  readonly #deadline: Deadline;
  readonly #doneStatus: number | undefined;
  readonly #sessionIds: string[] = [];

  constructor(
    request: MdmRequest,
    config: MdmConfig,
    keeper: SessionKeeper,
    deadline: Deadline,
    doneStatus: number | undefined,
  ) {
    this.#request = request;
    this.#config = config;
    this.#keeper = keeper;
    this.#deadline = deadline;
    this.#doneStatus = doneStatus;
  }

  async send(): Promise<HttpResponse> {
    const current = this.#keeper.current(this.#config);
    let session = current instanceof Promise ? await this.#inTime(current) : current;
    let response = await this.#exchange(session);
    if (response.status !== 401 || this.#config.auth.type === 'session') return this.#successOf(response);
    const refusedAt = performance.now();
    for (let renewals = 0; response.status === 401 && renewals < MAX_RENEWALS; renewals++) {
      const renewed = await this.#inTime(this.#keeper.renew(session, this.#config, refusedAt));
      if (!renewed) break;
      session = renewed;
      response = await this.#exchange(session);
      if (response.status !== 401) this.#keeper.renewed();
    }
    return this.#successOf(response);
  }

  /** A login is shared by calls with deadlines of their own; none waits for it past its own. */
  #inTime<T>(login: Promise<T>): Promise<T> {
    return inTime(
      { ms: this.#deadline.within(Infinity), signal: this.#request.signal },
      () => login,
      () => new ConnectorError('MDM:TIMEOUT', 'The login to the master data API did not succeed in time'),
    );
  }

  #exchange(session: Session): Promise<HttpResponse> {
    const { method, path, query, headers, body, idempotent, signal } = this.#request;
    this.#sessionIds.push(session.id);
    const call = {
      method,
      url: session.baseUrl + path + searchOf(query),
      headers: mergeHeaders(
        { accept: 'application/json' },
        traceHeaders(),
        body === undefined ? {} : { 'content-type': 'application/json' },
        this.#config.headers,
        headers ?? {},
        { [this.#config.sessionHeader]: session.id },
      ),
      body,
      isUnrepeatable: !idempotent,
      signal,
    };
    return exchange(call, this.#config, this.#deadline);
  }

  #successOf(response: HttpResponse): HttpResponse {
    const isSuccess = response.status >= 200 && response.status < 300;
    if (!isSuccess && response.status !== this.#doneStatus) {
      const { auth, headers } = this.#config;
      const { secrets, words } = this.#request;
      const credentials = auth.type === 'session' ? [] : [auth.password, auth.username];
      throw errorOf(response, {
        values: [...this.#sessionIds, ...credentials, ...(secrets?.() ?? [])],
        words: [...Object.values(headers), ...(words?.() ?? [])],
      });
    }
    const { showsResponse } = this.#request;
    return showsResponse ? withoutSession(response, this.#sessionIds, this.#config.sessionHeader) : response;
  }
}

function searchOf(query: MdmRequest['query']): string {
  let params: URLSearchParams | undefined;
  for (const name in query) {
    const value = query[name];
    if (value === undefined) continue;
    params ??= new URLSearchParams();
    for (const item of [value].flat()) params.append(name, item);
  }
  return params ? `?${params.toString()}` : '';
}
