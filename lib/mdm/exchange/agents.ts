import { Agent as HttpAgent, type ClientRequest } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Duplex } from 'node:stream';
import { createSecureContext, getCACertificates } from 'node:tls';
import { HttpProxyAgent, HttpsProxyAgent } from 'hpagent';
import type { MdmConfig } from '../../runtime/config.schema.ts';

type Way = Pick<MdmConfig, 'ca' | 'proxy' | 'timeoutMs'>;

/** The parts of Node's agent that a client request, and nobody else, speaks to. */
type Agent = (HttpAgent | HttpsAgent) & {
  addRequest(request: ClientRequest & { maxHeaderSize: number }, ...rest: unknown[]): void;
};

/** Services and what is in front of them close idle connections; a request on such a one may be lost. */
const MAX_IDLE_MS = 30_000;
const MAX_HEADER_BYTES = 64 * 1024;
const MAX_AGENTS = 16;
const KEEP_ALIVE = { keepAlive: true, keepAliveMsecs: 30_000, maxFreeSockets: 256, scheduling: 'lifo' } as const;
const agents = new Map<string, Agent>();

/** The agent that keeps connections open, through the configured CA and proxy; one a container and way. */
export function agentFor(url: string, way: Way): Agent {
  const isHttps = url.startsWith('https:');
  const key = `${isHttps} ${way.proxy ?? ''} ${way.ca ?? ''}`;
  let agent = agents.get(key);
  if (!agent) {
    agents.set(key, (agent = withBounds(createAgent(isHttps, way) as Agent)));
    if (agents.size > MAX_AGENTS) agents.delete(agents.keys().next().value!); // of configurations that were changed
  }
  return agent;
}

function createAgent(isHttps: boolean, { ca, proxy, timeoutMs }: Way): HttpAgent | HttpsAgent {
  const options = { ...KEEP_ALIVE, timeout: MAX_IDLE_MS };
  const trust = ca === undefined ? {} : { secureContext: createSecureContext({ ca: [...getCACertificates(), ca] }) };
  if (proxy) {
    // the abort of a call does not reach the proxy's CONNECT, so that ends by a timeout of its own
    const through = { ...options, proxy, timeout: Math.min(timeoutMs, MAX_IDLE_MS) };
    return isHttps ? new HttpsProxyAgent({ ...through, ...trust }) : new HttpProxyAgent(through);
  }
  return isHttps ? new HttpsAgent({ ...options, ...trust }) : new HttpAgent(options);
}

/** Bounds the headers of responses, and the idle time of connections also while a container is frozen with its timers. */
function withBounds(agent: Agent): Agent {
  const idleSince = new WeakMap<Duplex, number>();
  const addRequest = agent.addRequest.bind(agent);
  const keepSocketAlive = agent.keepSocketAlive.bind(agent);
  agent.keepSocketAlive = (socket) => {
    idleSince.set(socket, Date.now());
    return keepSocketAlive(socket);
  };
  agent.addRequest = (request, ...rest) => {
    request.maxHeaderSize = MAX_HEADER_BYTES;
    const oldest = Date.now() - MAX_IDLE_MS;
    for (const name in agent.freeSockets) {
      for (const socket of agent.freeSockets[name]!) {
        if (idleSince.get(socket)! >= oldest) break; // what follows became idle later
        socket.destroy();
      }
    }
    addRequest(request, ...rest);
  };
  return agent;
}
