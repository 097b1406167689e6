import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { parseExact } from '#lib/core/json.ts';
import { eachLine } from './each-line.ts';
import { httpEvent } from './http-event.ts';

const BUNDLES = fileURLToPath(new URL('../../.build/functions/', import.meta.url));
const HOST = fileURLToPath(new URL('./lambda-host.cjs', import.meta.url));
/** The host ends the lines of a call with this and the id of the call. */
const END_OF_CALL = '\0';
/** Lines of the log in the failure of an invocation during which the container ended. */
const LAST_LINES = 20;

export interface LambdaOptions {
  /** Environment of the functions. */
  env: Record<string, string>;
  /** Further options of Node, such as `--inspect`. */
  execArgv?: readonly string[];
  /** The folder of the bundles. Default: those of this checkout. */
  bundles?: string | undefined;
}

export interface InvokeOptions {
  /** The function's timeout. Default 29 s. */
  timeoutMs?: number;
  /** Request headers, lower-case names. */
  headers?: Record<string, string>;
}

export interface HttpResponse {
  status: number;
  headers: Record<string, string>;
  text: string;
  /** The body, parsed exactly; undefined if it is not JSON. */
  json: any; // oxlint-disable-line typescript/no-explicit-any -- tests reach into responses of every shape
}

/** The error of a failed invocation. */
export interface InvocationFailure {
  errorType: string;
  errorMessage: string;
  trace: string[];
}

export interface Lambda {
  readonly pid: number;
  /** The functions' log lines so far. */
  readonly log: string[];
  /** Direct invocation; rejects with an `InvocationFailure`. */
  // oxlint-disable-next-line typescript/no-explicit-any
  invoke<T = any>(name: string, payload: unknown, options?: InvokeOptions): Promise<T>;
  /** `POST` through API Gateway. A string is sent unchanged. */
  post(route: string, body: unknown, options?: InvokeOptions): Promise<HttpResponse>;
  kill(signal: NodeJS.Signals): void;
  stop(): Promise<void>;
}

/** A call under way. It returns with its lines in the log, which travel apart from the reply. */
interface Call {
  settle(reply: Reply): void;
  reply?: Reply;
  /** Whether its last line is in the log. */
  isLogged?: boolean;
}

interface Reply {
  id: string;
  output?: string;
  error?: InvocationFailure;
}

/**
 * A Lambda container with the functions as they are bundled for the local stack (`npm run build -- --local`), in its
 * own process.
 *
 * @example
 * const lambda = await startLambda({ env: { CONNECTOR_SECRET_PREFIX: 'test/', ... } });
 * const id = await lambda.invoke('stream-xadd', { key: 'orders', entry: { sku: '1' } });
 */
export async function startLambda({ env, bundles = BUNDLES, execArgv = [] }: LambdaOptions): Promise<Lambda> {
  const host = fork(HOST, [bundles], {
    env: {
      PATH: process.env.PATH,
      ...(process.env.NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE }),
      AWS_REGION: 'eu-central-1',
      AWS_ACCESS_KEY_ID: 'test',
      AWS_SECRET_ACCESS_KEY: 'test',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    execArgv: ['--enable-source-maps', ...execArgv],
  });
  const waiting = new Map<string, Call>();
  const log: string[] = [];
  const settle = (reply: Reply) => {
    waiting.get(reply.id)?.settle(reply);
    waiting.delete(reply.id);
  };
  const end = (id: string, errorMessage: string) => {
    const trace = log.slice(-LAST_LINES); // what it said before
    settle({ id, error: { errorType: 'Runtime.ExitError', errorMessage, trace } });
  };
  const note = (id: string, news: Partial<Call>) => {
    const { reply, isLogged } = Object.assign(waiting.get(id) ?? {}, news);
    if (reply && isLogged) settle(reply);
  };
  eachLine(host.stdout!, (line) => {
    if (line.startsWith(END_OF_CALL)) note(line.slice(END_OF_CALL.length), { isLogged: true });
    else log.push(line);
  });
  eachLine(host.stderr!, (line) => log.push(line));
  host.on('message', (reply: Reply) => note(reply.id, { reply }));
  host.on('exit', (code, signal) => {
    for (const id of waiting.keys()) end(id, `exit ${code ?? signal}`);
  });
  await once(host, 'spawn');

  const call = (name: string, payload: unknown, { timeoutMs = 29_000 }: InvokeOptions = {}) =>
    new Promise<string | undefined>((resolve, reject) => {
      const id = randomUUID();
      // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- Lambda returns this shape
      waiting.set(id, { settle: (reply) => (reply.error ? reject(reply.error) : resolve(reply.output)) });
      host.send({ id, name, payload: JSON.stringify(payload), timeoutMs }, (fault) => {
        if (fault) end(id, fault.message); // the container has just ended
      });
    });

  return {
    pid: host.pid!,
    log,
    async invoke(name, payload, options) {
      const output = await call(name, payload, options);
      return (output === undefined ? undefined : parseExact(output)) as never;
    },
    async post(route, body, options = {}) {
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      const output = await call(
        route.slice(1).replace('/', '-'),
        httpEvent('POST', route, text, options.headers),
        options,
      );
      return readResponse(JSON.parse(output!) as APIGatewayProxyStructuredResultV2);
    },
    kill: (signal) => void host.kill(signal),
    async stop() {
      if (host.exitCode !== null || host.signalCode !== null) return;
      const exited = once(host, 'exit');
      host.disconnect();
      await exited;
    },
  };
}

function readResponse({
  statusCode,
  headers = {},
  body = '',
  isBase64Encoded,
}: APIGatewayProxyStructuredResultV2): HttpResponse {
  const bytes = Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');
  const text = (headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes).toString();
  const isJson = /json/.test(String(headers['content-type']));
  return {
    status: statusCode!,
    headers: headers as Record<string, string>,
    text,
    json: isJson ? parseExact(text) : undefined,
  };
}
