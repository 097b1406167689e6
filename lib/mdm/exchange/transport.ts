import fetch, { FetchError, type Response } from 'node-fetch';
import { inTime } from '../../core/abort.ts';
import type { Deadline } from '../../core/deadline.ts';
import { describeCause, type CauseName } from '../../contract/causes.ts';
import { ConnectorError, type Outcome } from '../../core/errors.ts';
import { wholeTurn } from '../../core/turn.ts';
import type { MdmConfig } from '../../config/config.schema.ts';
import { agentFor } from './agents.ts';
import { ACCEPTED_ENCODINGS, BODY_LIMIT, decompress, TOO_LONG } from './content-encoding.ts';
import type { HttpResponse, Purpose } from './http-response.ts';
import { observe, type ObservedRequest } from './observed-request.ts';
import { serviceNameFirst, serviceName } from './service-name.ts';
import { requestIdOfError } from './response.ts';

export type { HttpResponse } from './http-response.ts';

export interface HttpCall {
  readonly method: string;
  readonly url: string;
  /** With lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** Whether it must not be sent twice. It then gets all the time that is left, because giving up leaves doubt. */
  readonly isUnrepeatable?: boolean;
  /** What it is for. Default: the API. */
  readonly purpose?: Purpose;
  /** Ends the exchange early, like a timeout. */
  readonly signal?: AbortSignal;
}

/** Time for a call that must not be sent twice. API Gateway waits 30 s for a response. */
export const UNREPEATABLE_TIMEOUT_MS = 25_000;

/**
 * One HTTP exchange, from the connect to the last byte of the body, within its timeout and the deadline. Does not
 * follow redirects, because the session must not travel to another host.
 *
 * @throws {ConnectorError} `MDM:TIMEOUT`; `MDM:CONNECTIVITY` with only the fault's code, because the client's messages
 *   contain URLs, which contain record keys; `MDM:SERVER_ERROR` for headers or a body that cannot be read.
 */
export async function exchange(call: HttpCall, config: MdmConfig, deadline: Deadline): Promise<HttpResponse> {
  if (call.isUnrepeatable) await wholeTurn(); // so that closed idle connections are known, and none is used
  const progress: Progress = {};
  const timeoutMs = call.isUnrepeatable ? UNREPEATABLE_TIMEOUT_MS : config.timeoutMs;
  return inTime(
    { ms: deadline.within(timeoutMs), signal: call.signal },
    (signal) => carryOut(call, config, signal, progress),
    () => lateResponse(call, progress.request),
  );
}

/** The request of an exchange, once it is made. */
interface Progress {
  request?: ObservedRequest;
}

function lateResponse(call: HttpCall, request: ObservedRequest | undefined): ConnectorError {
  const late = call.isUnrepeatable ? 'mdm-late-change' : 'mdm-slow';
  const cause = request?.mayBeSent ? late : 'mdm-unanswered';
  const { detail, hint } = describeCause(cause, { place: serviceNameFirst(call) });
  return new ConnectorError('MDM:TIMEOUT', detail, { hint, outcome: outcomeOf(request) });
}

const outcomeOf = (request: ObservedRequest | undefined): Outcome => (request?.mayBeSent ? 'unknown' : 'not-sent');

async function carryOut(
  call: HttpCall,
  config: MdmConfig,
  signal: AbortSignal,
  progress: Progress,
): Promise<HttpResponse> {
  signal.throwIfAborted(); // otherwise node-fetch destroys a body without a listener, which ends the process
  const { method, url, headers, body } = call;
  const { sent, request } = observe(() =>
    fetch(url, {
      method,
      headers: { 'accept-encoding': ACCEPTED_ENCODINGS, ...headers },
      body,
      signal,
      redirect: 'manual',
      compress: false, // node-fetch accepts truncated bodies, and has no limit
      agent: agentFor(url, config),
    }),
  );
  progress.request = request;
  const response = await headersOf(sent, request, call);
  const { status, statusText: reason } = response;
  const hasBody = method !== 'HEAD' && status !== 204 && status !== 304;
  const received = hasBody ? await bodyOf(response, request, call) : Buffer.alloc(0);
  return decoded({
    status,
    reason,
    headers: response.headers,
    body: received,
    request: { url, purpose: call.purpose },
  });
}

async function headersOf(sent: Promise<Response>, request: ObservedRequest, call: HttpCall): Promise<Response> {
  try {
    return await new Promise<Response>((resolve, reject) => {
      request.onLost = () => reject(brokenConnection(call, request, 'CLOSED')); // an unrequested 101
      sent.then(resolve, reject);
    });
  } catch (fault) {
    if (!(fault instanceof FetchError)) throw fault; // the lost connection; or a bug
    if (fault.code === 'HPE_HEADER_OVERFLOW') throw unreadable('with headers over 64 kB');
    // missing in its type
    throw brokenConnection(call, request, fault.code, (fault as { erroredSysCall?: string }).erroredSysCall);
  }
}

async function bodyOf(response: Response, request: ObservedRequest, call: HttpCall): Promise<Buffer> {
  const { status, headers } = response;
  let body: Buffer | undefined;
  let fault: { readonly code?: string } | undefined;
  try {
    body = await readBody(response.body);
  } catch (error) {
    if (error instanceof ConnectorError) throw error;
    fault = error as NodeJS.ErrnoException;
  }
  fault = request.fault ?? fault;
  if (body && (!fault || String(body.length) === headers.get('content-length'))) return body;
  const isWhole = request.isComplete && fault?.code?.startsWith('HPE_'); // bytes that are not HTTP followed it
  if (!isWhole) throw brokenConnection(call, request, fault?.code);
  // Node closes the connection, and unread bytes are lost
  if (status >= 300) return Buffer.alloc(0); // the status says enough
  throw unreadable('with more bytes than its headers announce', { status, headers, request: call });
}

function readBody(stream: NodeJS.ReadableStream | null): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const chunks: Buffer[] = [];
  let length = 0;
  let isWhole = false;
  stream!
    .on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= BODY_LIMIT) return void chunks.push(chunk);
      reject(unreadable(TOO_LONG.how, undefined, TOO_LONG.hint));
      (stream as unknown as { destroy(): void }).destroy();
    })
    .on('end', () => {
      isWhole = true;
      resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks));
    })
    .on('error', reject)
    .on('close', () => {
      if (!isWhole) reject(Object.assign(new Error('cut short'), { code: 'ERR_STREAM_PREMATURE_CLOSE' }));
    });
  return promise;
}

async function decoded(response: HttpResponse): Promise<HttpResponse> {
  const encoding = response.headers.get('content-encoding');
  if (encoding === null || response.body.length === 0) return response;
  try {
    const body = await decompress(response.body, encoding);
    if (body === undefined) return response;
    for (const name of ['content-encoding', 'content-length']) response.headers.delete(name);
    return { ...response, body };
  } catch (fault) {
    if (response.status >= 400) return { ...response, body: Buffer.alloc(0) }; // the status says enough
    const isTooLong = (fault as { code?: unknown }).code === 'ERR_BUFFER_TOO_LARGE';
    if (isTooLong) throw unreadable(TOO_LONG.how, response, TOO_LONG.hint);
    throw unreadable('with a compressed body that is cut short or broken', response);
  }
}

function unreadable(how: string, response?: Omit<HttpResponse, 'reason' | 'body'>, hint?: string): ConnectorError {
  return new ConnectorError('MDM:SERVER_ERROR', `The master data API answered ${how}`, {
    upstreamStatus: response?.status,
    upstreamRequestId: response && requestIdOfError(response),
    temporary: false,
    hint,
  });
}

/** Omits the client's own message, which contains the URL and with it a record's key. */
function brokenConnection(call: HttpCall, request: ObservedRequest, code = 'UNKNOWN', systemCall = ''): ConnectorError {
  const { detail, hint } = describeCause(causeOf(code), { place: serviceName(call), code });
  const isUnsent = systemCall === 'write'; // the other side did not receive the whole request
  const outcome = isUnsent ? 'not-sent' : outcomeOf(request);
  return new ConnectorError('MDM:CONNECTIVITY', detail, { upstreamCode: code, outcome, hint });
}

/** Alerts of the other side. */
const CLIENT_UNTRUSTED = /ALERT_(\w*CERTIFICATE|UNKNOWN_CA)/;
const UNTRUSTED = /^(DEPTH_ZERO_)?SELF_SIGNED_CERT|^UNABLE_TO_|^CERT_|^ERR_TLS_CERT/;

function causeOf(code: string): CauseName {
  if (/^(ENOTFOUND|EAI_)/.test(code)) return 'mdm-no-address';
  if (code === 'ECONNREFUSED') return 'mdm-refused';
  if (CLIENT_UNTRUSTED.test(code)) return 'mdm-client-certificate';
  if (code === 'EPROTO' || code.startsWith('ERR_SSL_')) return 'mdm-no-tls';
  if (UNTRUSTED.test(code)) return 'mdm-certificate';
  return code.startsWith('PROXY_') ? 'mdm-proxy' : 'mdm-broken';
}
