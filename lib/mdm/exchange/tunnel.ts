import { request as requestOverHttp, Agent as HttpAgent } from 'node:http';
import { request as requestOverHttps, Agent as HttpsAgent, type AgentOptions } from 'node:https';
import { isIPv6, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/*
 * The packages for this send an IPv6 address without its brackets, or take a proxy's refusal for the response of the API.
 * Node's own `proxyEnv` forwards plain HTTP without a tunnel, and leaves the connection open to a proxy that refuses.
 * An agent's `createConnection` is documented for overriding.
 */

export interface Proxy {
  readonly url: string;
  /** How long it may take to open a tunnel. The abort of a call does not reach it. */
  readonly timeoutMs: number;
}

type Target = Pick<AgentOptions, 'host' | 'port'>;
type Connected = (error: Error | null, socket: Duplex) => void;

/** The proxy opened no tunnel. As with every failure to connect, nothing of a request was sent. */
class TunnelError extends Error {
  readonly syscall = 'connect';
  readonly code: string;

  constructor(code: string, cause?: Error) {
    super('The proxy opened no tunnel', { cause });
    this.code = code;
  }
}

/** Reaches a server over TLS, through a proxy. */
export class HttpsTunnelAgent extends HttpsAgent {
  readonly #proxy: Proxy;

  constructor(proxy: Proxy, options: AgentOptions) {
    super(options);
    this.#proxy = proxy;
  }

  override createConnection(options: Target, connected: Connected): undefined {
    openTunnel(this.#proxy, options).then(
      (socket) => connected(null, super.createConnection({ ...options, socket } as AgentOptions)!),
      (error: Error) => connected(error, undefined as never),
    );
  }
}

/** Reaches a server over plain HTTP, through a proxy. */
export class HttpTunnelAgent extends HttpAgent {
  readonly #proxy: Proxy;

  constructor(proxy: Proxy, options: AgentOptions) {
    super(options);
    this.#proxy = proxy;
  }

  override createConnection(options: Target, connected: Connected): undefined {
    openTunnel(this.#proxy, options).then(
      (socket) => connected(null, socket),
      (error: Error) => connected(error, undefined as never),
    );
  }
}

/** Asks a proxy for a tunnel (CONNECT). */
function openTunnel({ url, timeoutMs }: Proxy, { host = '', port }: Target): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const proxy = new URL(url);
  const path = `${isIPv6(host) ? `[${host}]` : host}:${port}`;
  const request = (proxy.protocol === 'https:' ? requestOverHttps : requestOverHttp)({
    method: 'CONNECT',
    host: proxy.hostname.replace(/^\[|\]$/g, ''),
    port: proxy.port,
    path,
    headers: { host: path, ...credentialsOf(proxy) },
    agent: false,
  });
  const timer = setTimeout(() => request.destroy(new TunnelError('PROXY_TIMEOUT')), timeoutMs);
  const refuse = (status: number | undefined, socket: Duplex) => {
    socket.destroy();
    reject(new TunnelError(`PROXY_${status}`));
  };
  request
    .on('connect', ({ statusCode }, socket: Socket) =>
      statusCode === 200 ? resolve(socket) : refuse(statusCode, socket),
    )
    .on('error', (error: Error & { code?: string }) => reject(new TunnelError(error.code ?? 'PROXY_FAILED', error)))
    .on('close', () => clearTimeout(timer))
    .end();
  return promise;
}

function credentialsOf({ username, password }: URL): { 'proxy-authorization'?: string } {
  if (username === '' && password === '') return {};
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(pair).toString('base64')}` };
}
