import type { Agent as HttpAgent } from 'node:http';
import type { Agent as HttpsAgent } from 'node:https';
import type { Duplex } from 'node:stream';
import { Stopwatch } from './stopwatch.ts';

type Agent = HttpAgent | HttpsAgent;

/**
 * Services and the gateways in front of them close idle connections, and a request on a closing connection may be lost.
 */
const MAX_IDLE_MS = 30_000;
/** Options of an agent that keeps connections open. */
export const KEEP_OPEN = {
  keepAlive: true,
  keepAliveMsecs: 30_000,
  maxFreeSockets: 256,
  scheduling: 'lifo',
  timeout: MAX_IDLE_MS,
} as const;
const idle = new WeakMap<Duplex, Stopwatch>();

/**
 * Notes since when each connection is idle. The agents' own `timeout` uses a timer, which stands still while a
 * container is frozen, so the idle time is checked before use. Node does not expose it, but calls this method,
 * documented for overriding, when a connection becomes idle.
 */
export function noteIdle<A extends Agent>(agent: A): A {
  const keepSocketAlive = agent.keepSocketAlive.bind(agent);
  agent.keepSocketAlive = (socket) => {
    idle.set(socket, new Stopwatch());
    return keepSocketAlive(socket);
  };
  return agent;
}

/** Closes the connections that have been idle for 30 seconds. Before each request. */
export function closeIdle({ freeSockets }: Agent): void {
  for (const name in freeSockets) {
    for (const socket of freeSockets[name]!) {
      if (idle.get(socket)!.elapsedMs() <= MAX_IDLE_MS) break; // later ones became idle later
      socket.destroy();
    }
  }
}
