import { createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { listen } from '../network/listen.ts';
import type { FrontParts } from '../stack/stack.ts';
import { routeConsole } from './routes.ts';

/**
 * The front of the local stack: serves `/console`, and passes everything else to the HTTP API behind it. It listens
 * only on this machine, because it has no sign-in.
 *
 * @param upstream port of the HTTP API
 */
export async function startConsole(
  port: number,
  upstream: number,
  parts: FrontParts,
): Promise<{ close(): Promise<void> }> {
  const console = await routeConsole(parts);
  const server = createServer((request, response) => {
    const path = request.url!.split('?', 1)[0]!; // not parsed as a URL: '//' is none, and goes to the API
    if (path === '/docs/') return void response.writeHead(302, { location: '../docs' }).end(); // as API Gateway's is
    if (!path.startsWith('/console')) return void pass(request, response, upstream);
    serve(request, response, path, console).catch((error: unknown) => {
      if (!response.headersSent) response.writeHead(500, { 'content-type': 'text/plain' });
      response.end(error instanceof Error ? error.message : String(error));
    });
  });
  const { close } = await listen(server, port);
  return {
    async close() {
      console.close();
      await close();
    },
  };
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

/** Passes a request on and its response back, unchanged. */
function pass(request: IncomingMessage, response: ServerResponse, port: number): void {
  const { method, url: path, headers } = request;
  // the API closes a connection after five idle seconds, and would reset a request that sets out on it just then
  const onward = forward({ host: 'localhost', port, method, path, headers, agent: false }, (reply) => {
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
