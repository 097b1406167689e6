import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Duplex } from 'node:stream';
import { createSecureContext, getCACertificates } from 'node:tls';
import type { MdmConfig } from '../../runtime/config.schema.ts';
import { HttpsTunnelAgent, HttpTunnelAgent } from './tunnel.ts';

type Way = Pick<MdmConfig, 'ca' | 'proxy' | 'timeoutMs'>;
type Agent = HttpAgent | HttpsAgent;

/** Services and what is in front of them close idle connections; a request on such a one may be lost. */
const MAX_IDLE_MS = 30_000;
const MAX_AGENTS = 16;
/** How much longer than its call a tunnel may take to open, so that the call ends by its own timeout. */
const TUNNEL_MARGIN_MS = 200;
const OPTIONS = {
  keepAlive: true,
  keepAliveMsecs: 30_000,
  maxFreeSockets: 256,
  scheduling: 'lifo',
  timeout: MAX_IDLE_MS,
} as const;
const agents = new Map<string, Agent>();
const idleSince = new WeakMap<Duplex, number>();

/** The agent that keeps connections open, through the configured CA and proxy; one a container and way. */
export function agentFor(url: string, way: Way): Agent {
  const isHttps = url.startsWith('https:');
  const key = `${isHttps} ${way.proxy === undefined ? '' : `${way.timeoutMs} ${way.proxy}`} ${way.ca ?? ''}`;
  let agent = agents.get(key);
  if (!agent) {
    agents.set(key, (agent = createAgent(isHttps, way)));
    if (agents.size > MAX_AGENTS) agents.delete(agents.keys().next().value!); // of configurations that were changed
  }
  closeIdle(agent);
  return agent;
}

function createAgent(isHttps: boolean, { ca, proxy, timeoutMs }: Way): Agent {
  const trust = ca === undefined ? {} : { secureContext: createSecureContext({ ca: [...getCACertificates(), ca] }) };
  const through = proxy === undefined ? undefined : { url: proxy, timeoutMs: timeoutMs + TUNNEL_MARGIN_MS };
  let agent: Agent;
  if (isHttps)
    agent = through
      ? new HttpsTunnelAgent(through, { ...OPTIONS, ...trust })
      : new HttpsAgent({ ...OPTIONS, ...trust });
  else agent = through ? new HttpTunnelAgent(through, OPTIONS) : new HttpAgent(OPTIONS);
  return noteIdle(agent);
}

/**
 * Notes since when each connection is idle. The agents' `timeout` closes idle connections by a timer, which stands still
 * with a frozen container; so their age is looked at before they are used. Node shows it nowhere. It calls this method when a
 * connection becomes idle, and documents it for overriding.
 */
function noteIdle(agent: Agent): Agent {
  const keepSocketAlive = agent.keepSocketAlive.bind(agent);
  agent.keepSocketAlive = (socket) => {
    idleSince.set(socket, Date.now());
    return keepSocketAlive(socket);
  };
  return agent;
}

function closeIdle({ freeSockets }: Agent): void {
  const oldest = Date.now() - MAX_IDLE_MS;
  for (const name in freeSockets) {
    for (const socket of freeSockets[name]!) {
      if (idleSince.get(socket)! >= oldest) break; // what follows became idle later
      socket.destroy();
    }
  }
}
