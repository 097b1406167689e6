import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Duplex } from 'node:stream';
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls';
import type { MdmConfig } from '../../config/config.schema.ts';
import { tunnelThrough } from './tunnel.ts';

type AgentOptions = Pick<MdmConfig, 'ca' | 'cert' | 'key' | 'proxy' | 'timeoutMs'>;
type Agent = HttpAgent | HttpsAgent;

/** Services and their gateways close idle connections, and a request on a closing connection may be lost. */
const MAX_IDLE_MS = 30_000;
const MAX_AGENTS = 16;
/** How much longer than its call a tunnel may take to open, so that the call's own timeout ends it. */
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

/**
 * The agent that keeps connections open, with the configured certificates and proxy. A container has one per
 * configuration.
 */
export function agentFor(url: string, options: AgentOptions): Agent {
  const isHttps = url.startsWith('https:');
  const tunnel = options.proxy === undefined ? '' : `${options.timeoutMs} ${options.proxy}`;
  const key = [isHttps, tunnel, options.ca, options.cert, options.key].join(' ');
  let agent = agents.get(key);
  if (!agent) {
    agents.set(key, (agent = createAgent(isHttps, options)));
    if (agents.size > MAX_AGENTS) agents.delete(agents.keys().next().value!); // those of old configurations
  }
  closeIdle(agent);
  return agent;
}

function createAgent(isHttps: boolean, options: AgentOptions): Agent {
  const { proxy, timeoutMs } = options;
  const agent = isHttps ? new HttpsAgent({ ...OPTIONS, secureContext: contextOf(options) }) : new HttpAgent(OPTIONS);
  if (proxy !== undefined) tunnelThrough({ url: proxy, timeoutMs: timeoutMs + TUNNEL_MARGIN_MS }, agent);
  return noteIdle(agent);
}

/** The certificates of a connection; undefined for Node's own. */
function contextOf({ ca, cert, key }: AgentOptions): SecureContext | undefined {
  if (ca === undefined && cert === undefined) return undefined;
  return createSecureContext({ ca: ca === undefined ? undefined : [...getCACertificates(), ca], cert, key });
}

/**
 * Notes since when each connection is idle. The agents' own `timeout` uses a timer, which stands still while a
 * container is frozen, so the idle time is checked before use. Node does not expose it, but calls this method,
 * documented for overriding, when a connection becomes idle.
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
      if (idleSince.get(socket)! >= oldest) break; // later ones became idle later
      socket.destroy();
    }
  }
}
