import { request as requestOverHttp, type Agent as HttpAgent } from 'node:http';
import { request as requestOverHttps, Agent as HttpsAgent, type AgentOptions } from 'node:https';
import { isIPv6, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/*
 * The packages for this send IPv6 addresses without brackets, or treat a proxy's refusal as the API's response. Node's
 * own `proxyEnv` forwards plain HTTP without a tunnel, and keeps the connection to a proxy that refuses. An agent's
 * `createConnection` is documented for overriding.
 */

export interface Proxy {
  readonly url: string;
  /** Time for opening a tunnel. Aborting a call does not end it. */
  readonly timeoutMs: number;
}

type Target = Pick<AgentOptions, 'host' | 'port'>;
type Connected = (error: Error | null, socket: Duplex) => void;

/** The proxy opened no tunnel. As with every failed connect, no part of a request was sent. */
class TunnelError extends Error {
  readonly syscall = 'connect';
  readonly code: string;

  constructor(code: string, cause?: Error) {
    super('The proxy opened no tunnel', { cause });
    this.code = code;
  }
}

/** Makes an agent reach its servers through a proxy, over TLS where it is one of HTTPS. */
export function tunnelThrough(proxy: Proxy, agent: HttpAgent | HttpsAgent): void {
  const connect = (agent as HttpsAgent).createConnection.bind(agent);
  agent.createConnection = (options: Target, connected: Connected) => {
    openTunnel(proxy, options).then(
      (socket) =>
        connected(null, agent instanceof HttpsAgent ? connect({ ...options, socket } as AgentOptions)! : socket),
      (error: Error) => connected(error, undefined as never),
    );
    return undefined;
  };
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
    .on('error', (error: Error & { code?: string }) => {
      // its own code, or that of a connection to the proxy: the API is not at fault
      reject(error instanceof TunnelError ? error : new TunnelError(`PROXY_${error.code ?? 'FAILED'}`, error));
    })
    .on('close', () => clearTimeout(timer))
    .end();
  return promise;
}

function credentialsOf({ username, password }: URL): { 'proxy-authorization'?: string } {
  if (username === '' && password === '') return {};
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(pair).toString('base64')}` };
}
