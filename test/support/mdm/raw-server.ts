import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

export const FIN = Symbol('ends the connection');
export const RST = Symbol('resets the connection');

/** What a server does with a connection: writes bytes, waits this many milliseconds, ends it, or resets it. */
export type Step = string | Buffer | number | typeof FIN | typeof RST;

export interface RawServer {
  readonly port: number;
  /** What arrived on each connection so far. */
  readonly received: string[];
  /** How many connections are open. */
  readonly open: number;
  close(): Promise<void>;
}

/**
 * A server on loopback that knows no protocol: it takes these steps on each connection once something arrives on it.
 */
export async function startRawServer(steps: readonly Step[]): Promise<RawServer> {
  const sockets = new Set<Socket>();
  const received: string[] = [];
  const server = createServer((socket) => {
    const index = received.push('') - 1;
    sockets.add(socket);
    socket
      .on('error', () => {})
      .on('close', () => sockets.delete(socket))
      .on('data', (bytes) => (received[index] += bytes.toString('latin1')))
      .once('data', () => void take(steps, socket));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    received,
    get open() {
      return sockets.size;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function take(steps: readonly Step[], socket: Socket): Promise<void> {
  for (const step of steps) {
    if (socket.destroyed) return;
    if (typeof step === 'number') await wait(step);
    else if (step === FIN) socket.end();
    else if (step === RST) socket.resetAndDestroy();
    else socket.write(step);
  }
}
