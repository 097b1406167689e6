import { randomUUID } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { listen } from '../../network/listen.ts';

/** The result of an invocation, as Lambda's Invoke API returns it. */
export interface InvocationResult {
  /** The output, or the error as `{errorType, errorMessage, trace}`: JSON text. */
  readonly payload: string;
  /** Set if the function failed. */
  readonly functionError?: 'Unhandled';
}

/** Lambda's own limit of a response, in bytes. */
const MAX_PAYLOAD_BYTES = 6_291_556;
const PREFIX = '/2018-06-01/runtime';

export interface InvocationOptions {
  /** Default 29 s. */
  readonly timeoutMs?: number;
  /** Default: a new one. */
  readonly requestId?: string;
  /** The caller's `ClientContext` as JSON text. Lambda passes it on decoded. */
  readonly clientContext?: string;
}

interface Invocation {
  readonly clientContext?: string;
  readonly id: string;
  readonly payload: string;
  readonly deadlineMs: number;
  settle(result: InvocationResult): void;
}

/** Lambda's own error for a function. */
const lambdaError = (errorType: string, errorMessage: string): InvocationResult => ({
  payload: JSON.stringify({ errorType, errorMessage }),
  functionError: 'Unhandled',
});

/** The Runtime API of one container on loopback: gives out one invocation at a time, and takes its result. */
export async function startRuntimeApi(functionName: string) {
  const queue: Invocation[] = [];
  let current: Invocation | undefined;
  let asking: ServerResponse | undefined;

  const settle = (result: InvocationResult) => {
    current?.settle(result);
    current = undefined;
  };
  const handOut = () => {
    if (!asking || current || queue.length === 0) return;
    current = queue.shift()!;
    asking.writeHead(200, {
      'content-type': 'application/json',
      'lambda-runtime-aws-request-id': current.id,
      'lambda-runtime-deadline-ms': String(current.deadlineMs),
      'lambda-runtime-invoked-function-arn': `arn:aws:lambda:eu-central-1:123456789012:function:${functionName}`,
      'lambda-runtime-trace-id': `Root=1-5759e988-bd862e3fe1be46a994272793;Sampled=0`,
      ...(current.clientContext !== undefined && { 'lambda-runtime-client-context': current.clientContext }),
    });
    asking.end(current.payload);
    asking = undefined;
  };
  const server = createServer((request, response) => {
    const path = request.url!.slice(PREFIX.length);
    if (path === '/invocation/next') {
      asking = response;
      return handOut();
    }
    void text(request).then((body) => {
      response.writeHead(202, { 'content-type': 'application/json' }).end('{"status":"OK"}');
      settle(path.endsWith('/response') ? checkSize(body) : { payload: body, functionError: 'Unhandled' });
      handOut();
    });
  });
  const { url, close } = await listen(server);

  return {
    host: new URL(url).host,
    /** Queues an invocation. Its id is the caller's `requestId`. */
    invoke(payload: string, options: InvocationOptions & { timeoutMs: number }): Promise<InvocationResult> {
      const { timeoutMs, requestId: id = randomUUID(), clientContext } = options;
      return new Promise((resolve) => {
        queue.push({ id, payload, clientContext, deadlineMs: Date.now() + timeoutMs, settle: resolve });
        handOut();
      });
    },
    /** Fails the current invocation: the process ended, or its time is over. */
    fail(errorType: string, errorMessage: string): void {
      asking = undefined;
      settle(lambdaError(errorType, errorMessage));
    },
    close,
  };
}

function checkSize(payload: string): InvocationResult {
  const bytes = Buffer.byteLength(payload);
  if (bytes <= MAX_PAYLOAD_BYTES) return { payload };
  return lambdaError(
    'Function.ResponseSizeTooLarge',
    `Response payload size (${bytes} bytes) exceeded maximum allowed payload size (${MAX_PAYLOAD_BYTES} bytes).`,
  );
}
