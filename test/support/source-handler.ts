import type { Context } from 'aws-lambda';
import type { Handler } from '../../lib/operation/endpoint.ts';

export interface CallOptions {
  /** What is left of the invocation, in milliseconds. Default 29 s. */
  timeoutMs?: number;
}

/** Calls a handler from source as a direct invocation does. */
export function invokeSource(handler: Handler, payload: unknown, { timeoutMs = 29_000 }: CallOptions = {}) {
  const endsAt = performance.now() + timeoutMs;
  const context = { awsRequestId: 'request-1', getRemainingTimeInMillis: () => endsAt - performance.now() };
  return handler(structuredClone(payload), context as Context);
}
