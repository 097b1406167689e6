import { createServer, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { listen } from '../network/listen.ts';

/** How an invocation is answered, as the Lambda API does it. */
export interface LambdaResponse {
  /** Status of the API. Default 200. */
  status?: number;
  /** Name of the API's own error: the function did not run. */
  error?: string;
  headers?: Record<string, string>;
  /** What the function itself failed with. */
  functionError?: { errorType?: string; errorMessage?: string };
  /** What the function returned. Default null. */
  returns?: unknown;
  /** How long the function took, in milliseconds. Default 0. */
  tookMs?: number;
}

/** What the consumer sends for an entry, or for a batch of them. */
export interface LambdaPayload {
  stream: string;
  group: string;
  id: string;
  deliveries: number;
  entry: Record<string, string>;
  /** In place of `id`, `deliveries` and `entry`, where a batch size is given. */
  entries: { id: string; deliveries: number; entry: Record<string, string> }[];
}

/** A Lambda endpoint on loopback for `AWS_ENDPOINT_URL_LAMBDA`: as much of the API as `Invoke` needs. */
export interface LambdaEndpoint {
  readonly url: string;
  /** What was invoked, in order. */
  readonly invocations: {
    name: string;
    /** `Event` for an asynchronous invocation, else `RequestResponse`. */
    type: string;
    payload: LambdaPayload;
  }[];
  /** How the invocations came, signature and all. */
  readonly requests: { request: IncomingMessage; body: string }[];
  /** Sets the response; default: every function succeeds. */
  respond: (payload: LambdaPayload) => LambdaResponse;
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
      } = endpoint.respond(payload);
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
