import { setTimeout as wait } from 'node:timers/promises';
import { inTime } from '../../core/abort.ts';
import type { Deadline } from '../../core/deadline.ts';
import { ConnectorError } from '../../core/errors.ts';
import { traceDetails, traceHeaders } from '../../core/trace.ts';
import type { MdmConfig } from '../../config/config.schema.ts';
import type { Invocation } from '../../invocation/invocation.ts';
import { holdsError } from '../exchange/error-body.ts';
import { errorOf, refusalIn, type Secrets } from '../exchange/errors.ts';
import { mergeHeaders } from '../exchange/headers.ts';
import { withRequestSpan } from '../exchange/span.ts';
import { credentialsOf } from '../session/credentials.ts';
import { withoutSession } from '../session/hidden-session.ts';
import type { Session } from '../session/login.ts';
import { mdmOf, readMdmConfig } from '../session/mdm-config.ts';
import { withRetries } from './retry.ts';
import { sessionKeeper, type Renewal, type SessionKeeper } from '../session/session.ts';
import { exchange, type HttpResponse } from '../exchange/transport.ts';

export interface MdmRequest {
  readonly method: 'GET' | 'HEAD' | 'OPTIONS' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Encoded path under the base URL; `pathOf` makes one. */
  readonly path: string;
  /** Undefined values are not sent; a list repeats its name. */
  readonly query?: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** A status that counts as success after an attempt that may have been carried out: 404 of a DELETE. */
  readonly doneStatus?: number;
  /**
   * Whether a response of any status is a result: the caller asked for it. None is then an error, nor retried for it.
   */
  readonly takesAnyStatus?: boolean;
  /** Ends the exchange early, like a timeout. */
  readonly signal?: AbortSignal;
  /**
   * Whether the caller sees headers and body of the response as they came, which then must not repeat the session. For
   * any other request, a success whose body is an error is a refusal.
   */
  readonly showsResponse?: boolean;
  /**
   * Values that errors must not contain, even if the API repeats them: keys as texts, masked whatever their length; and
   * records and lists, whose values are masked from three characters on. Called after a failure.
   */
  readonly secrets?: () => readonly unknown[];
  /** The same for texts of paths and headers, which may also be words of the API itself. */
  readonly words?: () => readonly string[];
}

/** The master data API, with the session of a configuration. */
export interface MdmClient {
  readonly configRef: string;
  readonly config: MdmConfig;
  /**
   * Sends a request. If the API refuses the session, renews it and sends the same request again. After temporary faults
   * it is retried if the contract of the operation says that the call is idempotent, or if it only reads.
   *
   * @throws {ConnectorError} `MDM:*` for every response that is not a success.
   */
  send(request: MdmRequest): Promise<HttpResponse>;
}

export interface MdmClientOptions {
  /** Attempts of a call in all. Default 3. */
  readonly attempts?: number;
}

/** Methods that change nothing, whatever the operation does besides. */
const SAFE_METHODS = new Set<MdmRequest['method']>(['GET', 'HEAD', 'OPTIONS']);

/**
 * How often a request is repeated after a 401: an old, a shared and a new session may each be refused, the latter until
 * the API knows it.
 */
const MAX_REPLAYS = 10;
/** Before a new session that was refused is tried again; doubled from then on. */
const NEW_SESSION_DELAY_MS = 100;
/** A longer pause of logins fails the call. */
const LONGEST_PAUSE_MS = 10_000;
/** Time to keep for the call itself. */
const CALL_AFTER_PAUSE_MS = 1_000;

/** Opens the master data API for an invocation. */
export async function openMdm(invocation: Invocation, { attempts = 3 }: MdmClientOptions = {}): Promise<MdmClient> {
  const { configRef, connector, deadline } = invocation;
  const config = mdmOf(await invocation.config(), configRef);
  const keeper = sessionKeeper(configRef, connector);
  const readSettings = () => readMdmConfig(configRef, connector, deadline);
  const send = (request: MdmRequest): Promise<HttpResponse> => {
    const isIdempotent = invocation.isIdempotent || SAFE_METHODS.has(request.method);
    const sendOnce = async (mayBeDone: boolean) => {
      const config = await readSettings(); // credentials may change during long invocations
      const { doneStatus } = request;
      const options = { keeper, deadline, isIdempotent, doneStatus: mayBeDone ? doneStatus : undefined };
      return new Call(request, config, options).send();
    };
    return withRetries(sendOnce, { attempts, deadline, isIdempotent });
  };
  return { configRef, config, send };
}

interface SendOptions {
  readonly keeper: SessionKeeper;
  readonly deadline: Deadline;
  readonly isIdempotent: boolean;
  readonly doneStatus: number | undefined;
}

/** Sends one request, and repeats it with a new session if the API refuses the old one. */
class Call {
  readonly #request: MdmRequest;
  readonly #config: MdmConfig;
  readonly #options: SendOptions;
  readonly #sessionIds: string[] = [];

  constructor(request: MdmRequest, config: MdmConfig, options: SendOptions) {
    this.#request = request;
    this.#config = config;
    this.#options = options;
  }

  async send(): Promise<HttpResponse> {
    const current = this.#options.keeper.current(this.#config);
    let session = current instanceof Promise ? await this.#inTime(current) : current;
    let response = await this.#exchange(session);
    if (response.status !== 401 || this.#config.auth.type === 'session') return this.#successOf(response, session);
    let waits = 0;
    let pauseMs = 0;
    for (let replays = 0; response.status === 401 && replays < MAX_REPLAYS; replays++) {
      const renewal: Renewal = await this.#inTime(this.#options.keeper.renew(session, this.#config));
      if (renewal.session) {
        const isRepeated = renewal.isNew && renewal.session === session;
        if (isRepeated) await this.#pause(NEW_SESSION_DELAY_MS * 2 ** waits++);
        session = renewal.session;
        response = await this.#exchange(session);
      } else {
        pauseMs = renewal.pauseMs;
        if (!this.#mayWait(pauseMs)) break;
        await this.#pause(pauseMs);
      }
    }
    if (response.status !== 401 || this.#request.takesAnyStatus) return this.#successOf(response, session);
    throw errorOf(response, this.#secrets(), { temporary: true, retryAfterMs: pauseMs || undefined });
  }

  /** Whether the time of the invocation suffices for a pause of logins, with a call after it. */
  #mayWait(ms: number): boolean {
    return ms <= LONGEST_PAUSE_MS && ms + CALL_AFTER_PAUSE_MS <= this.#options.deadline.remainingMs();
  }

  /** Waits, unless the caller gives up: then the next exchange fails. */
  #pause(ms: number): Promise<void> {
    return wait(ms, undefined, { signal: this.#request.signal }).catch(() => {});
  }

  /** Calls share a login, but none waits for it beyond its own deadline. */
  #inTime<T>(login: Promise<T>): Promise<T> {
    return inTime(
      { ms: this.#options.deadline.within(Infinity), signal: this.#request.signal },
      () => login,
      () => {
        const message = 'The login to the master data API did not succeed in time';
        return new ConnectorError('MDM:TIMEOUT', message, { outcome: 'not-sent' });
      },
    );
  }

  #exchange(session: Session): Promise<HttpResponse> {
    const { method, path, query } = this.#request;
    this.#sessionIds.push(session.id);
    const url = session.baseUrl + path + searchOf(query);
    return withRequestSpan(method, url, () => this.#sendTo(url, session));
  }

  #sendTo(url: string, session: Session): Promise<HttpResponse> {
    const { method, headers, body, signal } = this.#request;
    const call = {
      method,
      url,
      headers: mergeHeaders(
        { accept: 'application/json' },
        traceHeaders(),
        correlationOf(this.#config),
        modelVersionOf(this.#config, session),
        body === undefined ? {} : { 'content-type': 'application/json' },
        this.#config.headers,
        headers ?? {},
        { [this.#config.sessionHeader]: session.id },
      ),
      body,
      isUnrepeatable: !this.#options.isIdempotent,
      signal,
    };
    return exchange(call, this.#config, this.#options.deadline);
  }

  #successOf(response: HttpResponse, session: Session): HttpResponse {
    if (response.status !== 401) this.#options.keeper.accepted(session);
    const isSuccess = response.status >= 200 && response.status < 300;
    const { showsResponse, takesAnyStatus } = this.#request;
    const isResult = isSuccess || takesAnyStatus || response.status === this.#options.doneStatus;
    if (!isResult) throw errorOf(response, this.#secrets());
    if (!showsResponse && isSuccess && holdsError(response)) throw refusalIn(response, this.#secrets());
    return showsResponse ? withoutSession(response, this.#sessionIds, this.#config.sessionHeader) : response;
  }

  #secrets(): Secrets {
    const { auth, headers } = this.#config;
    const { secrets, words } = this.#request;
    const { name = '', secret = '' } = auth.type === 'session' ? {} : credentialsOf(auth);
    return {
      values: [...this.#sessionIds, secret, name, ...(secrets?.() ?? [])],
      words: [...Object.values(headers), ...(words?.() ?? [])],
    };
  }
}

/** The correlation id in the API's own header, so that its operator finds the call. */
function correlationOf({ correlationHeader }: MdmConfig): Record<string, string> {
  const { correlationId } = traceDetails() ?? {};
  if (correlationHeader === '' || correlationId === undefined) return {};
  return { [correlationHeader]: `req_id=${correlationId}` };
}

/** The version of the data model that a session's requests mean, so that a change of the model does not fail them. */
function modelVersionOf({ modelVersion }: MdmConfig, { openedAt }: Session): Record<string, string> {
  return modelVersion === 'session' && openedAt !== undefined ? { MODEL_VERSION: String(openedAt) } : {};
}

function searchOf(query: MdmRequest['query']): string {
  let params: URLSearchParams | undefined;
  for (const name in query) {
    const value = query[name];
    if (value === undefined) continue;
    params ??= new URLSearchParams();
    for (const item of typeof value === 'string' ? [value] : value) params.append(name, item);
  }
  return params ? `?${params.toString()}` : '';
}
