import fetch, { FetchError, type Response } from 'node-fetch';
import { inTime } from '../../core/abort.ts';
import type { Deadline } from '../../core/deadline.ts';
import { ConnectorError } from '../../core/errors.ts';
import { wholeTurn } from '../../core/turn.ts';
import type { MdmConfig } from '../../runtime/config.schema.ts';
import { agentFor } from './agents.ts';
import { ACCEPTED_ENCODINGS, decompress, MAX_BODY_BYTES } from './content-encoding.ts';
import type { HttpResponse } from './http-response.ts';
import { observe, type ObservedRequest } from './observed-request.ts';
import { requestIdOf } from './response.ts';

export type { HttpResponse } from './http-response.ts';

export interface HttpCall {
  readonly method: string;
  readonly url: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** Whether sending it twice could do harm, so that every care is taken to send it once. */
  readonly isUnrepeatable?: boolean;
  /** Ends the exchange early, as if its time were over. */
  readonly signal?: AbortSignal;
}

/** System calls that fail before a request has reached the other side as a whole. */
const BEFORE_SENT = new Set(['getaddrinfo', 'connect', 'write']);
const unsent = new WeakSet<object>();

/** Whether the request that failed so never reached the API, for certain, so that sending it again is the first time. */
export const wasNeverSent = (error: unknown) => typeof error === 'object' && error !== null && unsent.has(error);

/**
 * One HTTP exchange, from the connect to the last byte of the body within `timeoutMs` and the deadline. Redirects are
 * responses like others: the session must not travel to another host.
 *
 * @throws {ConnectorError} `MDM:TIMEOUT`; `MDM:CONNECTIVITY` with the fault's code alone, because the client's own
 *   messages hold URLs, and URLs hold record keys; `MDM:SERVER_ERROR` for headers or a body that cannot be read.
 */
export async function exchange(call: HttpCall, config: MdmConfig, deadline: Deadline): Promise<HttpResponse> {
  if (call.isUnrepeatable) await wholeTurn(); // so that the end of idle connections is known, and none of them is used
  return inTime(
    { ms: deadline.within(config.timeoutMs), signal: call.signal },
    (signal) => carryOut(call, config, signal),
    () => new ConnectorError('MDM:TIMEOUT', 'The master data API did not answer in time'),
  );
}

async function carryOut(call: HttpCall, config: MdmConfig, signal: AbortSignal): Promise<HttpResponse> {
  signal.throwIfAborted(); // node-fetch would end the process: it destroys a body that nobody listens to
  const { method, url, headers, body } = call;
  const { sent, request } = observe(() =>
    fetch(url, {
      method,
      headers: { 'accept-encoding': ACCEPTED_ENCODINGS, ...headers },
      body,
      signal,
      redirect: 'manual',
      compress: false, // node-fetch takes a truncated body for a whole one, and knows no bound
      agent: agentFor(url, config),
    }),
  );
  const response = await headersOf(sent, request);
  const { status, statusText: reason } = response;
  const hasBody = method !== 'HEAD' && status !== 204 && status !== 304;
  const received = hasBody ? await bodyOf(response, request) : Buffer.alloc(0);
  return decoded({ status, reason, headers: response.headers, body: received });
}

async function headersOf(sent: Promise<Response>, request: ObservedRequest): Promise<Response> {
  const { promise: lost, reject } = Promise.withResolvers<never>();
  request.onLost = () => reject(brokenConnection('CLOSED')); // with a 101, which nothing here has asked for
  try {
    return await Promise.race([sent, lost]);
  } catch (fault) {
    if (!(fault instanceof FetchError)) throw fault; // of the lost connection; or not of the network, so of ours
    if (fault.code === 'HPE_HEADER_OVERFLOW') throw unreadable('with headers over 64 kB');
    throw brokenConnection(fault.code, (fault as { erroredSysCall?: string }).erroredSysCall); // which its type leaves out
  }
}

async function bodyOf(response: Response, request: ObservedRequest): Promise<Buffer> {
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
  const isWhole = request.isComplete && fault?.code?.startsWith('HPE_'); // what is no HTTP came behind it
  if (!isWhole) throw brokenConnection(fault?.code);
  // Node closes the connection, and what was not read yet is lost
  if (status >= 300) return Buffer.alloc(0); // its status says enough
  throw unreadable('with more bytes than its headers announce', response);
}

function readBody(stream: NodeJS.ReadableStream | null): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const chunks: Buffer[] = [];
  let length = 0;
  let isWhole = false;
  stream!
    .on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= MAX_BODY_BYTES) return void chunks.push(chunk);
      reject(unreadable('with a body over 64 MB'));
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
    if (response.status >= 400) return { ...response, body: Buffer.alloc(0) }; // its status says enough
    const isTooLarge = (fault as { code?: unknown }).code === 'ERR_BUFFER_TOO_LARGE';
    throw unreadable(
      isTooLarge ? 'with a body over 64 MB' : 'with a compressed body that is cut short or broken',
      response,
    );
  }
}

function unreadable(how: string, response?: Pick<HttpResponse, 'status' | 'headers'>): ConnectorError {
  return new ConnectorError('MDM:SERVER_ERROR', `The master data API answered ${how}`, {
    upstreamStatus: response?.status,
    upstreamRequestId: response && requestIdOf(response),
    retryable: false,
  });
}

/** Nothing of the client's own message, which holds the URL, and so a record's key. */
function brokenConnection(code = 'UNKNOWN', systemCall = ''): ConnectorError {
  const message = `The connection to the master data API failed (${code})`;
  const error = new ConnectorError('MDM:CONNECTIVITY', message, { upstreamCode: code });
  if (BEFORE_SENT.has(systemCall)) unsent.add(error);
  return error;
}
