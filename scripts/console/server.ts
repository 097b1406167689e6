import { once } from 'node:events';
import { createServer, request as forward, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { FrontParts } from '../start/stack.ts';
import { routeConsole } from './routes.ts';

/**
 * The front of the local stack: `/console` for a person, everything else goes to the HTTP API behind it.
 *
 * @param upstream port of the HTTP API
 */
export async function startConsole(port: number, upstream: number, parts: FrontParts): Promise<{ close(): void }> {
  const console = await routeConsole(parts);
  const server = createServer((request, response) => {
    const path = new URL(request.url!, 'http://localhost').pathname;
    if (!path.startsWith('/console')) return void pass(request, response, upstream);
    serve(request, response, path, console).catch((error: unknown) => {
      if (!response.headersSent) response.writeHead(500, { 'content-type': 'text/plain' });
      response.end(String(error));
    });
  });
  await listen(server, port);
  return {
    close() {
      console.close();
      server.closeAllConnections();
      server.close();
    },
  };
}

async function listen(server: Server, port: number): Promise<void> {
  await once(server.listen({ port }), 'listening');
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  console: Awaited<ReturnType<typeof routeConsole>>,
): Promise<void> {
  const reply = await console.route(`${request.method} ${path}`, await text(request));
  response.writeHead(reply.status, reply.headers);
  response.end(reply.body);
}

/** Hands a request on, and its response back, as they are. */
function pass(request: IncomingMessage, response: ServerResponse, port: number): void {
  const { method, url: path, headers } = request;
  const onward = forward({ host: 'localhost', port, method, path, headers }, (reply) => {
    response.writeHead(reply.statusCode!, reply.rawHeaders);
    reply.pipe(response);
  });
  onward.on('error', () => {
    if (response.headersSent) return void response.destroy();
    response.writeHead(502, { 'content-type': 'text/plain' }).end('The HTTP API does not respond');
  });
  response.on('close', () => onward.destroy());
  request.pipe(onward);
}
