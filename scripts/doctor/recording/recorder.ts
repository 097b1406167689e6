import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { Deadline } from '#lib/core/deadline.ts';
import { loginHostOf } from '#lib/mdm/session/login.ts';
import type { Purpose } from '#lib/mdm/exchange/http-response.ts';
import { exchange, type HttpResponse } from '#lib/mdm/exchange/transport.ts';
import type { MdmConfig } from '#lib/config/config.schema.ts';
import { headersToKeep, HTML, OTHER, type Exchange, type Recording } from '#sandbox/mdm/recording/recording.ts';
import { shapeOf, type Shape } from '#sandbox/mdm/recording/shape.ts';
import { listen } from '#sandbox/network/listen.ts';

/**
 * Stands between the operations and a tenant on loopback, and keeps what travels, without values. What an identity
 * provider says is not kept: it is not the tenant.
 */
export interface Recorder {
  /** The configuration whose calls go through the recorder. */
  readonly config: MdmConfig;
  /** Names the step that makes the next exchanges, and the values that identify its records, by their placeholders. */
  begin(step: string, ids?: Readonly<Record<string, string>>): void;
  /** Texts that are no secret, because the doctor wrote them. */
  readonly written: Set<string>;
  readonly recording: Recording;
  close(): Promise<void>;
}

/** Headers of a request that are of its connection. */
const CONNECTION_HEADERS = new Set(['host', 'connection', 'content-length', 'accept-encoding', 'transfer-encoding']);

/** @param apiUrl address of the tenant's API, as a login says it */
export async function startRecorder(config: MdmConfig, apiUrl: string): Promise<Recorder> {
  const recording: Record<string, Exchange[]> = {};
  const written = new Set<string>();
  let step = 'login';
  let ids: Readonly<Record<string, string>> = {};
  const { auth } = config;

  const forward = async (request: IncomingMessage, response: ServerResponse, to: string, purpose: Purpose) => {
    const { method = 'GET', url = '/' } = request;
    const body = await buffer(request);
    const headers = Object.fromEntries(
      Object.entries(request.headers).filter(([name]) => !CONNECTION_HEADERS.has(name)),
    ) as Record<string, string>;
    const call = { method, url: to + url, headers, body: body.length > 0 ? body : undefined, purpose };
    const received = await exchange(call, config, Deadline.after(config.timeoutMs));
    if (purpose !== 'token') {
      (recording[purpose === 'login' ? 'login' : step] ??= []).push(
        exchangeOf({ method, url, contentType: headers['content-type'], body }, received, ids, written),
      );
    }
    const sent = [...received.headers].filter(
      ([name]) => !/^(connection|content-length|transfer-encoding)$/.test(name),
    );
    response.writeHead(received.status, Object.fromEntries(sent)).end(received.body);
  };
  const listenFor = (to: string, purpose: Purpose) =>
    listen(
      createServer((request, response) => {
        // the operation sees a broken connection
        forward(request, response, to, purpose).catch(() => response.destroy());
      }),
    );
  const api = await listenFor(apiUrl, 'api');
  const login = 'loginUrl' in auth ? await listenFor(loginHostOf(auth.loginUrl), 'login') : undefined;
  const token = 'tokenUrl' in auth ? await listenFor(new URL(auth.tokenUrl).origin, 'token') : undefined;
  const through = {
    ...auth,
    ...(login && { loginUrl: login.url }),
    ...('tokenUrl' in auth && token && { tokenUrl: token.url + new URL(auth.tokenUrl).pathname }),
  };
  const { ca: _ca, proxy: _proxy, ...rest } = config;
  return {
    config: { ...rest, auth: through, baseUrl: api.url },
    begin(name, of = {}) {
      step = name;
      ids = of;
    },
    written,
    recording,
    async close() {
      await Promise.all([api.close(), login?.close(), token?.close()]);
    },
  };
}

interface Sent {
  readonly method: string;
  readonly url: string;
  readonly contentType: string | undefined;
  readonly body: Buffer;
}

function exchangeOf(
  { method, url, contentType, body }: Sent,
  received: HttpResponse,
  ids: Readonly<Record<string, string>>,
  written: ReadonlySet<string>,
): Exchange {
  const { pathname, searchParams } = new URL(url, 'http://recorded');
  return {
    method,
    path: templateOf(pathname, ids),
    query: [...new Set(searchParams.keys())].toSorted(),
    contentType,
    request: shapeOfBody(body, written),
    status: received.status,
    headers: headersToKeep(received.headers),
    body: shapeOfBody(received.body, written),
  };
}

/** The path, with a placeholder for each value that identifies something. */
function templateOf(path: string, ids: Readonly<Record<string, string>>): string {
  const names = new Map(Object.entries(ids).map(([name, value]) => [value, `{${name}}`]));
  return path
    .split('/')
    .map((segment) => names.get(decodeURIComponent(segment)) ?? segment)
    .join('/');
}

function shapeOfBody(body: Buffer, written: ReadonlySet<string>): Shape | undefined {
  if (body.length === 0) return undefined;
  try {
    return shapeOf(JSON.parse(body.toString()), written);
  } catch {
    return /^\s*</.test(body.subarray(0, 100).toString()) ? HTML : OTHER;
  }
}
