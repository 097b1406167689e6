import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { HttpProxyAgent, HttpsProxyAgent } from 'hpagent';
import type { MdmConfig } from '../runtime/config.schema.ts';

type Agent = HttpAgent | HttpsAgent;
type Way = Pick<MdmConfig, 'ca' | 'proxy' | 'timeoutMs'>;

const KEEP_ALIVE = { keepAlive: true, keepAliveMsecs: 30_000, maxFreeSockets: 256, scheduling: 'lifo' } as const;
const agents = new Map<string, Agent>();

/** The agent that keeps connections open, through the configured CA and proxy; one per container and way. */
export function agentFor(url: URL, way: Way): Agent {
  const key = `${url.protocol} ${way.proxy ?? ''} ${way.ca ?? ''}`;
  let agent = agents.get(key);
  if (!agent) agents.set(key, (agent = createAgent(url.protocol === 'https:', way)));
  return agent;
}

function createAgent(isHttps: boolean, { ca, proxy, timeoutMs }: Way): Agent {
  if (proxy) {
    // the abort of a call does not reach the proxy's CONNECT, so that ends by a timeout of its own
    const through = { ...KEEP_ALIVE, proxy, timeout: timeoutMs };
    return isHttps ? new HttpsProxyAgent({ ...through, ca }) : new HttpProxyAgent(through);
  }
  return isHttps ? new HttpsAgent({ ...KEEP_ALIVE, ca }) : new HttpAgent(KEEP_ALIVE);
}
