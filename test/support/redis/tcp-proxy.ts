import { once } from 'node:events';
import net, { type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '#sandbox/network/free-port.ts';

/** A TCP proxy on loopback that misbehaves on demand. */
export interface TcpProxy {
  readonly port: number;
  /** Hands everything on, to the target given last. */
  pass(): void;
  /** Swallows what comes from either side, and keeps the connections: half open. */
  stall(): void;
  /** Swallows for good what comes over the connections there are; new ones pass. As a NAT that forgot them. */
  abandon(): void;
  /** Ends all connections, as a network that resets them. New ones pass. */
  cut(): void;
  /**
   * Ends the connection in place of the next reply: the server did what it was asked, and the client never learns.
   *
   * @param skip how many replies pass before. Default 0
   */
  cutReply(skip?: number): void;
  /** Forwards what clients send only after this many milliseconds. */
  delay(ms: number): void;
  /** Sends new connections elsewhere. */
  target(port: number): void;
  /** How many connections were made so far. */
  readonly connections: number;
  close(): Promise<void>;
}

/**
 * Starts a proxy in front of a port on loopback.
 *
 * @param given port of the proxy itself, for one that was closed and starts again; default a free one, which no
 *   connection of this machine gets meanwhile
 *
 * @example
 * const proxy = await startTcpProxy(server.port);
 * proxy.stall(); // what is sent now is never answered
 */
export async function startTcpProxy(target: number, given?: number): Promise<TcpProxy> {
  const port = given ?? (await freePort());
  const sockets = new Set<Socket>();
  const abandoned = new WeakSet<Socket>();
  let stalled = false;
  let delayMs = 0;
  let repliesLeft = Infinity;
  let connections = 0;

  const relay = (from: Socket, to: Socket, isClient: boolean) => {
    let last: Promise<void> | undefined;
    /** In order, even when the delay becomes shorter. */
    const write = (chunk: Buffer) => {
      const dueAt = performance.now() + (isClient ? delayMs : 0);
      if (!last && (!isClient || delayMs === 0)) return void to.write(chunk);
      const written = (last ?? Promise.resolve())
        .then(() => sleep(Math.max(0, dueAt - performance.now())))
        .then(() => {
          to.write(chunk);
          if (last === written) last = undefined;
        });
      last = written;
    };
    const isOpen = () => !stalled && !abandoned.has(from);
    sockets.add(from);
    from.on('data', (chunk) => {
      if (!isClient && repliesLeft-- === 0) {
        reset(to);
        from.destroy();
        return;
      }
      if (isOpen()) write(chunk);
    });
    from.on('error', () => {});
    from.on('close', () => {
      sockets.delete(from);
      if (isOpen()) to.destroy();
    });
  };
  const server = net.createServer((client) => {
    connections++;
    const upstream = net.connect(target, '127.0.0.1');
    relay(client, upstream, true);
    relay(upstream, client, false);
  });
  await once(server.listen(port, '127.0.0.1'), 'listening');

  const cut = () => sockets.forEach(reset);
  return {
    port,
    pass: () => void (stalled = false),
    stall: () => void (stalled = true),
    abandon: () => sockets.forEach((socket) => abandoned.add(socket)),
    cut,
    cutReply: (skip = 0) => void (repliesLeft = skip),
    delay: (ms) => void (delayMs = ms),
    target: (port) => void (target = port),
    get connections() {
      return connections;
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve)); // takes no more, then ends what there is
      sockets.forEach((socket) => socket.destroy());
      await closed;
    },
  };
}

/** Node neither closes the handle of a socket whose reset fails nor exits then; it closes that of a half-closed one. */
const reset = (socket: Socket) => (socket.readyState === 'open' ? socket.resetAndDestroy() : socket.destroy());
