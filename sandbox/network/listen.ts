import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Node's own 5 s may end just as a call sets out on the connection, which fails it. Services have a minute or more. */
const KEEP_ALIVE_MS = 60_000;

/** Lets a server listen on loopback, on a free port unless one is given, until it is closed with its connections. */
export async function listen(server: Server, port = 0): Promise<{ url: string; close: () => Promise<void> }> {
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  await once(server.listen(port, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
