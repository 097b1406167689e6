import { setTimeout as wait } from 'node:timers/promises';
import type { ServerResponse } from 'node:http';
import type { SandboxResponse } from './records/responses.ts';

/** A misbehaviour. Members combine: `{after: true, reset: true}` carries a request out and loses the response. */
export interface Misbehaviour {
  /** Number of requests it affects; `null` for all. Default 1. */
  times?: number | null;
  /** Number of requests it skips first. Default 0. */
  skip?: number;
  /** Only requests with this method. */
  method?: string;
  /** Only requests whose path begins like this; `/saas` and `/ma` are the logins. Default `/`: all. */
  path?: string;
  /** Only requests whose body contains this, as `JSON.stringify` writes it. */
  bodyIncludes?: string;
  /** Whether the request is carried out first. Default false. */
  after?: boolean;
  /** Milliseconds before the response begins. */
  delayMs?: number;
  /** Milliseconds between the headers and the end of the body. */
  slowBodyMs?: number;
  /** Responds with this instead. */
  status?: number;
  headers?: Record<string, string>;
  body?: unknown;
  /** Responds with a gateway's HTML page. */
  html?: boolean;
  /** Ends the connection instead of responding. */
  reset?: boolean;
  /** Ends the connection in the middle of the body. */
  cut?: boolean;
  /** Ends all sessions just before the request is handled. */
  expireSession?: boolean;
}

export interface MatchedRequest {
  method: string;
  path: string;
  body: string;
}

/** The current misbehaviours. The first that matches a request applies. */
export class Misbehaviours {
  readonly #inForce: { spec: Misbehaviour; skip: number; left: number }[] = [];

  add(...specs: Misbehaviour[]): void {
    for (const spec of specs)
      this.#inForce.push({ spec, skip: spec.skip ?? 0, left: spec.times === null ? Infinity : (spec.times ?? 1) });
  }

  clear(): void {
    this.#inForce.length = 0;
  }

  /** The misbehaviour for a request, if any. */
  take(request: MatchedRequest): Misbehaviour | undefined {
    const index = this.#inForce.findIndex(({ spec }) => fits(spec, request));
    const found = this.#inForce[index];
    if (!found || found.skip-- > 0) return undefined;
    if (--found.left <= 0) this.#inForce.splice(index, 1);
    return found.spec;
  }
}

function fits({ method, path = '/', bodyIncludes = '' }: Misbehaviour, request: MatchedRequest): boolean {
  return (
    (method ?? request.method) === request.method &&
    request.path.startsWith(path) &&
    request.body.includes(bodyIncludes)
  );
}

const HTML = '<html><head><title>Bad Gateway</title></head><body><h1>Bad Gateway</h1></body></html>';

export function falsify({ status, headers, body, html }: Misbehaviour, truth: SandboxResponse): SandboxResponse {
  if (html) return { status: status ?? 502, headers: { 'content-type': 'text/html', ...headers }, body: HTML };
  return status === undefined ? truth : { status, headers, body };
}

/** Sends a response, with its misbehaviour. */
export async function send(response: ServerResponse, sent: SandboxResponse, how: Misbehaviour = {}): Promise<void> {
  if (how.delayMs) await wait(how.delayMs, undefined, { ref: false });
  if (how.reset) return void response.destroy();
  const { status, headers = {}, body } = sent;
  const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
  const bytes = Buffer.from(text);
  const half = Math.floor(bytes.length / 2);
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': bytes.length, ...headers });
  if (!how.cut && !how.slowBodyMs) return void response.end(bytes);
  await new Promise((resolve) => response.write(bytes.subarray(0, half), resolve));
  if (how.slowBodyMs) await wait(how.slowBodyMs, undefined, { ref: false });
  if (how.cut) response.destroy();
  else response.end(bytes.subarray(half));
}
