import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { MdmConfig } from '../config.schema.ts';

type Agent = HttpAgent | HttpsAgent;

const KEEP_ALIVE = { keepAlive: true, keepAliveMsecs: 30_000, maxFreeSockets: 256, scheduling: 'lifo' } as const;
const agents = new Map<string, Agent>();

/** The agent that keeps connections to a URL open, through the configured CA; one per container. */
export function agentFor(url: URL, { ca }: Pick<MdmConfig, 'ca'>): Agent {
  const key = `${url.protocol} ${ca ?? ''}`;
  let agent = agents.get(key);
  if (!agent) {
    agent = url.protocol === 'https:' ? new HttpsAgent({ ...KEEP_ALIVE, ca }) : new HttpAgent(KEEP_ALIVE);
    agents.set(key, agent);
  }
  return agent;
}
