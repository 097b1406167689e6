import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { mergeHeaders } from '#lib/mdm/exchange/headers.ts';
import { dialectOf, dialectOfEnvironment, type Dialect, type DialectName } from './records/dialect.ts';
import type { Recording } from './recording/recording.ts';
import { Replay } from './recording/replay.ts';
import { Refusal, type SandboxResponse } from './records/responses.ts';
import { answerControl, type Controlled } from './control.ts';
import { relationshipKinds, writeDataModel, type DataModelOptions } from './records/data-model.ts';
import { Jobs } from './records/jobs.ts';
import { falsify, Misbehaviours, send, type Misbehaviour } from './misbehaviour.ts';
import { Records, type RecordsOptions } from './records/records.ts';
import { Relationships } from './records/relationships.ts';
import { TOKEN_PATH } from './routes/login-routes.ts';
import { answerCall } from './routes/routes.ts';
import type { SearchOptions } from './records/search.ts';
import { OAUTH_CLIENT, Sessions, type SessionOptions } from './tenant/sessions.ts';
import { ChangeLists, type Call, type SubmitMode, type Tenant } from './tenant/tenant.ts';
import type { WriteId } from './records/views.ts';
import { listen } from '../network/listen.ts';

export interface SandboxOptions extends RecordsOptions {
  /** Default: a free one. */
  port?: number;
  /** Who may log in. Default `sandbox` / `sandbox-password`. */
  username?: string;
  password?: string;
  session?: Partial<SessionOptions>;
  dataModel?: DataModelOptions;
  search?: SearchOptions;
  /** Business ids: `text` as `MDM00000000001`; `digits-18` and `digits-29` as bare JSON numbers. Default text. */
  businessIds?: 'text' | 'digits-18' | 'digits-29';
  /** Name of a header that carries the request id instead of the dialect's own. */
  requestIdHeader?: string;
  /** How the services answer. Default: `SANDBOX_DIALECT`, else `public`. */
  dialect?: DialectName | Dialect;
  /** Answers as a recorded tenant does, in place of a dialect. */
  recording?: Recording;
  /** Whether a submit removes the fields that it omits. Default `full`: it does. */
  submit?: SubmitMode;
  /** Whether changes of records wait for approval, so nothing changes. Default false. */
  needsApproval?: boolean;
  /** Milliseconds that every request takes. Default 0. */
  latencyMs?: number;
}

/** A request. The last 1,000 are kept. */
export interface SeenRequest {
  method: string;
  /** Path and query, as on the wire. */
  url: string;
  headers: IncomingMessage['headers'];
  /** Names and values in turn, as on the wire. */
  rawHeaders: string[];
  /** The body as text, and as bytes. */
  body: string;
  bytes: Buffer;
  /** Status of the response; undefined before it, or if the connection ended instead. */
  status?: number;
}

export interface SandboxMdm {
  readonly url: string;
  /** For the `mdm` part of a connector secret. */
  readonly secret: {
    auth: { type: 'login-v3'; loginUrl: string; username: string; password: string };
    baseUrl: string;
  };
  /** The same with a token of the identity provider in place of a password. */
  readonly oauthSecret: {
    auth: { type: 'login-oauth'; loginUrl: string; tokenUrl: string } & typeof OAUTH_CLIENT;
    baseUrl: string;
  };
  readonly records: Records;
  readonly relationships: Relationships;
  readonly sessions: Sessions;
  readonly requests: readonly SeenRequest[];
  readonly requestCount: number;
  readonly logins: number;
  /** Milliseconds that every request takes. */
  latencyMs: number;
  misbehave(...specs: Misbehaviour[]): void;
  behave(): void;
  close(): Promise<void>;
}

const KEPT_REQUESTS = 1000;
const DIGITS = { 'digits-18': 714189942313869312n, 'digits-29': 71418994231386931271418994231n } as const;

/**
 * A master data service on loopback: logins, records that merge, search, metadata, and misbehaviour on demand.
 *
 * @example
 * const mdm = await startSandboxMdm();
 * mdm.misbehave({ status: 503, headers: { 'retry-after': '1' }, times: 2 });
 * await mdm.close();
 */
export async function startSandboxMdm(options: SandboxOptions = {}): Promise<SandboxMdm> {
  const { port = 0, username = 'sandbox', password = 'sandbox-password', requestIdHeader } = options;
  const requests: SeenRequest[] = [];
  let requestCount = 0;
  let url = '';
  const records = new Records({ ...options, ...businessIds(options) });
  const sessions = new Sessions(username, password, options.session);
  const misbehaviours = new Misbehaviours();
  const writeId: WriteId = (options.businessIds ?? 'text') === 'text' ? (id) => id : (id) => JSON.rawJSON(id);
  const replay = options.recording && new Replay(options.recording, () => url);
  const dialect = chooseDialect(options, replay);
  const modelVersion = Date.now();
  const tenant: Tenant = {
    records,
    relationships: new Relationships(),
    jobs: new Jobs(),
    changeLists: new ChangeLists(),
    dialect,
    submitMode: options.submit ?? 'full',
    needsApproval: options.needsApproval ?? false,
    sessions,
    writeId,
    dataModel: writeDataModel(options.dataModel),
    kinds: relationshipKinds(options.dataModel),
    search: options.search,
    url: () => url,
  };
  const controlled: Controlled = { records, sessions, misbehaviours, requestCount: () => requestCount };

  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const bytes = await buffer(request);
    const body = bytes.toString();
    const { headers, rawHeaders } = request;
    const seen: SeenRequest = { method: request.method!, url: request.url!, headers, rawHeaders, body, bytes };
    const { pathname, searchParams } = new URL(seen.url, 'http://sandbox');
    if (pathname.startsWith('/sandbox')) {
      return send(
        response,
        attempt(() => answerControl(controlled, seen.method, pathname, body)),
      );
    }
    requests.push(seen);
    if (requests.length > KEPT_REQUESTS) requests.shift();
    const how = misbehaviours.take({ method: seen.method, path: pathname, body });
    if (how?.expireSession) sessions.expireAll();
    const carriesOut = !how || how.after || (how.status === undefined && !how.html && !how.reset);
    const call: Call = {
      method: seen.method,
      segments: pathname.split('/').slice(1).map(decodeURIComponent),
      query: searchParams,
      headers: request.headers as Record<string, string>,
      body,
    };
    const truth = carriesOut ? attempt(() => answerCall(tenant, call)) : { status: 200 };
    const sent = how ? falsify(how, truth) : truth;
    const requestId = `req-${++requestCount}`;
    const usual = requestIdHeader ? { [requestIdHeader]: requestId } : dialect.headers(requestId, modelVersion);
    const asked = { method: seen.method, path: pathname, contentType: headers['content-type'] };
    const dressed = replay && !how ? replay.dress(asked, sent, usual) : undressed(sent, usual);
    if (!how?.reset) seen.status = dressed.status;
    await send(response, dressed, { ...how, delayMs: (how?.delayMs ?? 0) + sandbox.latencyMs });
  };

  const server = createServer({ maxHeaderSize: 64 * 1024 }, (request, response) => {
    serve(request, response).catch(() => response.destroy()); // the client went away
  });
  const listening = await listen(server, port);
  url = listening.url;

  const sandbox: SandboxMdm = {
    url,
    get secret() {
      const auth = { type: 'login-v3' as const, loginUrl: url, username, password };
      return { auth, baseUrl: url };
    },
    get oauthSecret() {
      const auth = { type: 'login-oauth' as const, loginUrl: url, tokenUrl: `${url}/${TOKEN_PATH}`, ...OAUTH_CLIENT };
      return { auth, baseUrl: url };
    },
    records,
    relationships: tenant.relationships,
    sessions,
    requests,
    get requestCount() {
      return requestCount;
    },
    get logins() {
      return sessions.logins;
    },
    latencyMs: options.latencyMs ?? 0,
    misbehave: (...specs) => misbehaviours.add(...specs),
    behave: () => misbehaviours.clear(),
    close: listening.close,
  };
  return sandbox;
}

const undressed = (sent: SandboxResponse, usual: Record<string, string>): SandboxResponse => ({
  ...sent,
  headers: mergeHeaders(usual, sent.headers ?? {}),
});

function chooseDialect({ dialect: given }: SandboxOptions, replay: Replay | undefined): Dialect {
  if (typeof given === 'object') return given;
  const dialect = dialectOf(given ?? replay?.dialect ?? dialectOfEnvironment());
  const patchTypes = replay?.patchTypes ?? [];
  return patchTypes.length > 0 ? { ...dialect, patchTypes } : dialect;
}

function attempt(route: () => SandboxResponse): SandboxResponse {
  try {
    return route();
  } catch (error) {
    if (error instanceof Refusal) return error.response;
    return { status: 500, body: { errorCode: 'SANDBOX_FAULT', errorSummary: String(error) } };
  }
}

function businessIds({ businessIds: kind = 'text' }: SandboxOptions): RecordsOptions {
  return kind === 'text' ? {} : { newBusinessId: (count) => String(DIGITS[kind] + BigInt(count)) };
}
