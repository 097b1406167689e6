import type { InvocationFailure, InvokeOptions, Lambda } from '#sandbox/aws/lambda.ts';

/** How an operation is called. */
export type Way = 'HTTP' | 'direct invocation';
export const WAYS: Way[] = ['HTTP', 'direct invocation'];

/** What came of a call: its output, or its error; over HTTP with the status. */
export interface Outcome {
  status?: number;
  output?: unknown;
  error?: { type: string; message: string };
}

/**
 * Calls a stream operation of a container.
 *
 * @example
 * const { output } = await callStream(lambda, 'HTTP', 'xadd', { key: 'orders', entry: { a: '1' } });
 */
export function callStream(
  lambda: Lambda,
  way: Way,
  operation: string,
  parameters: object,
  options?: InvokeOptions,
): Promise<Outcome> {
  return (way === 'HTTP' ? post : invoke)(lambda, operation, parameters, options);
}

async function post(lambda: Lambda, operation: string, body: object, options?: InvokeOptions): Promise<Outcome> {
  const response = await lambda.post(`/stream/${operation}`, body, options);
  const { status, headers, text } = response;
  const json: unknown = response.json;
  if (status === 204) return { status, output: null };
  if (status === 200) return { status, output: headers['content-type'] === 'application/json' ? json : text };
  const { type, detail } = json as { type: string; detail: string };
  return { status, error: { type, message: detail } };
}

async function invoke(lambda: Lambda, operation: string, payload: object, options?: InvokeOptions): Promise<Outcome> {
  try {
    return { output: await lambda.invoke(`stream-${operation}`, payload, options) };
  } catch (failure) {
    const { errorType, errorMessage } = failure as InvocationFailure;
    return { error: { type: errorType, message: errorMessage } };
  }
}
