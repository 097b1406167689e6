import { createServer, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { listen } from '../network/listen.ts';

/** The response to an invocation, in the form of the Lambda API. */
export interface LambdaResponse {
  /** Status of the API. Default 200. */
  status?: number;
  /** Name of the API's own error: the function did not run. */
  error?: string;
  headers?: Record<string, string>;
  /** The function's own error. */
  functionError?: { errorType?: string; errorMessage?: string };
  /** The function's output. Default null. */
  returns?: unknown;
  /** Duration of the function in milliseconds. Default 0. */
  tookMs?: number;
}

/** The consumer's payload for an entry, or for a batch. */
export interface LambdaPayload {
  stream: string;
  group: string;
  id: string;
  deliveries: number;
  entry: Record<string, string>;
  /** Instead of `id`, `deliveries` and `entry`, with a batch size. */
  entries: { id: string; deliveries: number; entry: Record<string, string> }[];
}

/** A Lambda endpoint on loopback for `AWS_ENDPOINT_URL_LAMBDA`: as much of the API as `Invoke` needs. */
export interface LambdaEndpoint {
  readonly url: string;
  /** The invocations, in order. */
  readonly invocations: {
    name: string;
    /** `Event` for an asynchronous invocation, otherwise `RequestResponse`. */
    type: string;
    payload: LambdaPayload;
  }[];
  /** The requests, with their signatures. */
  readonly requests: { request: IncomingMessage; body: string }[];
  /** Sets the response. By default every function succeeds. */
  respond: (payload: LambdaPayload) => LambdaResponse | Promise<LambdaResponse>;
  close(): Promise<void>;
}

export async function startLambdaEndpoint(): Promise<LambdaEndpoint> {
  const server = createServer((request, response) => {
    void text(request).then(async (body) => {
      const name = decodeURIComponent(request.url!.split('/')[3]!);
      const payload = JSON.parse(body) as LambdaEndpoint['invocations'][number]['payload'];
      const type = String(request.headers['x-amz-invocation-type'] ?? 'RequestResponse');
      endpoint.invocations.push({ name, type, payload });
      endpoint.requests.push({ request, body });
      const {
        status = type === 'Event' ? 202 : 200,
        error,
        functionError,
        headers,
        returns = null,
        tookMs = 0,
      } = await endpoint.respond(payload);
      if (tookMs > 0) await sleep(tookMs, undefined, { ref: false });
      response.writeHead(status, {
        'content-type': 'application/json',
        ...(error && { 'x-amzn-errortype': error }),
        ...(functionError && { 'x-amz-function-error': 'Unhandled' }),
        ...headers,
      });
      response.end(JSON.stringify(error ? { message: error } : (functionError ?? returns)));
    });
  });
  const { url, close } = await listen(server);
  const endpoint: LambdaEndpoint = {
    url,
    invocations: [],
    requests: [],
    respond: () => ({}),
    close,
  };
  return endpoint;
}
