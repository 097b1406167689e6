import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls';
import type { MdmConfig } from '../../config/config.schema.ts';
import { closeIdle, KEEP_OPEN, noteIdle } from '../../core/kept-connections.ts';
import { tunnelThrough } from './tunnel.ts';

type AgentOptions = Pick<MdmConfig, 'ca' | 'cert' | 'key' | 'proxy' | 'timeoutMs'>;
type Agent = HttpAgent | HttpsAgent;

const MAX_AGENTS = 16;
/** How much longer than its call a tunnel may take to open, so that the call's own timeout ends it. */
const TUNNEL_MARGIN_MS = 200;
const agents = new Map<string, Agent>();

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
  const agent = isHttps
    ? new HttpsAgent({ ...KEEP_OPEN, secureContext: contextOf(options) })
    : new HttpAgent(KEEP_OPEN);
  if (proxy !== undefined) tunnelThrough({ url: proxy, timeoutMs: timeoutMs + TUNNEL_MARGIN_MS }, agent);
  return noteIdle(agent);
}

/** The certificates of a connection; undefined for Node's own. */
function contextOf({ ca, cert, key }: AgentOptions): SecureContext | undefined {
  if (ca === undefined && cert === undefined) return undefined;
  return createSecureContext({ ca: ca === undefined ? undefined : [...getCACertificates(), ca], cert, key });
}
