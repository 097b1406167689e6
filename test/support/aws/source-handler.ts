import type { APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import type { Handler } from '#lib/endpoint/endpoint.ts';
import { httpEvent } from '#sandbox/aws/http-event.ts';

export interface CallOptions {
  /** What is left of the invocation, in milliseconds. Default 29 s. */
  timeoutMs?: number;
  /** Name that the function is deployed under. Default: none, as outside of Lambda, where no metrics are written. */
  functionName?: string;
}

function contextOf({ timeoutMs = 29_000, functionName }: CallOptions): Context {
  const endsAt = performance.now() + timeoutMs;
  const getRemainingTimeInMillis = () => endsAt - performance.now();
  return { awsRequestId: 'request-1', functionName, getRemainingTimeInMillis } as Context;
}

/** What the operations on the API response. */
export interface SourceResponse {
  payload: Record<string, unknown>;
  attributes: Record<string, unknown>;
}

/** Calls a handler from source as a direct invocation does; the output as it travels, parsed. */
export async function invokeSource<T = SourceResponse>(
  handler: Handler,
  payload: unknown,
  options: CallOptions = {},
): Promise<T> {
  return JSON.parse(JSON.stringify(await handler(structuredClone(payload), contextOf(options)))) as T;
}

/** Calls a handler from source as API Gateway does: status and body as text. */
export async function postSource(handler: Handler, body: unknown, options: CallOptions = {}) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const response = (await handler(
    httpEvent('POST', '/', text, { 'accept-encoding': 'identity' }),
    contextOf(options),
  )) as APIGatewayProxyStructuredResultV2;
  const headers = response.headers as Record<string, string> | undefined;
  return { status: response.statusCode!, headers: headers ?? {}, text: response.body ?? '' };
}

/** A problem document with its Retry-After. */
export interface Problem {
  type: string;
  status: number;
  detail: string;
  retryable: boolean;
  outcome: string;
  hint?: string;
  errors: { pointer: string; message: string }[];
  upstreamCode?: string;
  upstreamRequestId?: string;
  retryAfter?: string;
}

/** The problem that a call over HTTP is answered with. */
export async function problemOf(handler: Handler, body: unknown, options: CallOptions = {}): Promise<Problem> {
  const { status, headers, text } = await postSource(handler, body, options);
  if (status < 400) throw new Error(`answered ${status}`);
  return { ...(JSON.parse(text) as Problem), retryAfter: headers['retry-after'] };
}
