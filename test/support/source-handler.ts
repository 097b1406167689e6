import type { Context } from 'aws-lambda';
import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import type { Handler } from '../../lib/operation/endpoint.ts';
import { httpEvent } from './http-event.ts';

export interface CallOptions {
  /** What is left of the invocation, in milliseconds. Default 29 s. */
  timeoutMs?: number;
}

function contextOf({ timeoutMs = 29_000 }: CallOptions): Context {
  const endsAt = performance.now() + timeoutMs;
  return { awsRequestId: 'request-1', getRemainingTimeInMillis: () => endsAt - performance.now() } as Context;
}

/** Calls a handler from source as a direct invocation does; the output as it travels, parsed. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests reach into answers of every shape
export async function invokeSource(handler: Handler, payload: unknown, options: CallOptions = {}): Promise<any> {
  return JSON.parse(JSON.stringify(await handler(structuredClone(payload), contextOf(options))));
}

/** Calls a handler from source as API Gateway does: status and body as text. */
export async function postSource(handler: Handler, body: unknown, options: CallOptions = {}) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const answer = (await handler(
    httpEvent('POST', '/', text, { 'accept-encoding': 'identity' }),
    contextOf(options),
  )) as APIGatewayProxyStructuredResultV2;
  const headers = answer.headers as Record<string, string> | undefined;
  return { status: answer.statusCode!, headers: headers ?? {}, text: answer.body ?? '' };
}

/** The problem that a call over HTTP is answered with. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- as above
export async function problemOf(handler: Handler, body: unknown, options: CallOptions = {}): Promise<any> {
  const { status, headers, text } = await postSource(handler, body, options);
  if (status < 400) throw new Error(`answered ${status}`);
  return { ...JSON.parse(text), retryAfter: headers['retry-after'] };
}
