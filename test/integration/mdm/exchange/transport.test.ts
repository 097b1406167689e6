import { once } from 'node:events';
import { createServer } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Deadline } from '#lib/core/deadline.ts';
import * as source from '#lib/mdm/exchange/transport.ts';
import type { MdmConfig } from '#lib/config/config.schema.ts';
import { asItShips } from '#test/support/aws/as-it-ships.ts';
import { use } from '#test/support/jest/use.ts';

/* Whatever crosses the network is tried on what ships, too. */

type Transport = Pick<typeof source, 'exchange'>;

const ways: Record<string, Transport> = { 'from its sources': source };
const shipped = await use(asItShips<Transport>('lib/mdm/exchange/transport.ts'));
ways['as it ships'] = shipped.module;

const servers: Server[] = [];
const sockets = new Set<Socket>();
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  for (const server of servers.splice(0)) server.close();
});

async function listen(server: Server): Promise<string> {
  servers.push(server);
  server.on('connection', (socket: Socket) => {
    sockets.add(socket.on('error', () => {}).on('close', () => sockets.delete(socket)));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

/** A server that says back what it was sent. */
const echo = () =>
  listen(
    createServer((request, response) => {
      response.setHeader('set-cookie', ['a=1', 'b=2']).setHeader('X-Sent', JSON.stringify(request.headers));
      request.pipe(response);
    }),
  );

/** A server that does this with each connection on which something arrives. */
const answer = (act: (socket: Socket) => void) =>
  listen(createTcpServer((socket) => void socket.once('data', () => act(socket))));

describe.each(['from its sources', 'as it ships'])('the transport %s', (way) => {
  const send = (
    url: string,
    body?: string | Buffer,
    { timeoutMs = 5000, signal }: { timeoutMs?: number; signal?: AbortSignal } = {},
  ) => {
    const headers = { 'x-given': 'é', host: 'mdm.example' };
    const call = { method: body === undefined ? 'GET' : 'POST', url, headers, body, signal };
    return ways[way]!.exchange(call, { timeoutMs } as MdmConfig, Deadline.after(10_000));
  };
  const problemOf = async (answered: Promise<unknown>) => {
    const problem = (await answered.catch((error: unknown) => error)) as { type?: string; upstreamCode?: string };
    return { type: problem.type, upstreamCode: problem.upstreamCode };
  };

  it.each([
    ['no body', undefined],
    ['an empty text', ''],
    ['a text', '{"name":"Zürich 😀"}'],
    ['bytes', Buffer.from([0, 255, 128, 10])],
    ['12 kB', Buffer.from(Array.from({ length: 12 * 1024 }, (_, at) => at % 256))],
    ['a byte less', Buffer.from(Array.from({ length: 12 * 1024 - 1 }, (_, at) => at % 256))],
    ['8 MB', Buffer.alloc(8_000_000, 'ab')],
  ])('the transport sends %s whole, with its length', async (_, body) => {
    const { status, body: received, headers } = await send(await echo(), body);

    expect(status).toBe(200);
    expect(received.equals(Buffer.from(body ?? ''))).toBe(true);
    const sent = JSON.parse(headers.get('x-sent')!) as Record<string, string>;
    expect(sent['content-length']).toBe(body === undefined ? undefined : String(Buffer.byteLength(body)));
    expect(sent['transfer-encoding']).toBeUndefined();
  });

  it('the transport sends the given headers, and receives repeated ones', async () => {
    const { headers } = await send(await echo());

    const sent = JSON.parse(headers.get('x-sent')!) as Record<string, string>;
    expect(sent).toMatchObject({ 'x-given': 'é', host: 'mdm.example', 'accept-encoding': 'gzip, deflate, br' });
    expect(headers.get('set-cookie')).toBe('a=1, b=2');
  });

  it('the transport reaches a server by IPv4 or IPv6 address, at the given path and query', async () => {
    const addresses = Object.values(networkInterfaces()).flatMap((each) => each!.map(({ address }) => address));
    const hasIpv6 = addresses.includes('::1'); // many containers have none
    const [address, host] = hasIpv6 ? ['::1', '[::1]'] : ['127.0.0.1', '127.0.0.1'];
    const server = createServer((request, response) => response.end(`${request.headers.host} ${request.url}`));
    servers.push(server);
    await once(server.listen(0, address), 'listening');
    const { port } = server.address() as AddressInfo;

    const { body } = await ways[way]!.exchange(
      { method: 'GET', url: `http://${host}:${port}/a%2Fb/%C3%BC?c=%20d&e=`, headers: {} },
      { timeoutMs: 5000 } as MdmConfig,
      Deadline.after(10_000),
    );

    expect(body.toString()).toBe(`${host}:${port} /a%2Fb/%C3%BC?c=%20d&e=`);
  });

  it('the transport reports an answer that comes before the body is sent', async () => {
    const url = await answer((socket) => {
      socket.resume().end('HTTP/1.1 413 Too Large\r\ncontent-length: 2\r\nconnection: close\r\n\r\nno');
    });

    const { status, body } = await send(url, Buffer.alloc(64_000, 'x'));

    expect([status, body.toString()]).toEqual([413, 'no']);
  });

  it('the transport ends in time even if the body is never read, and closes the connection', async () => {
    const server = createTcpServer({ pauseOnConnect: true });
    const url = await listen(server);
    const connected = once(server, 'connection') as Promise<[Socket]>;
    const before = Date.now();

    const problem = await problemOf(send(url, Buffer.alloc(16_000_000, 'x'), { timeoutMs: 200 }));

    expect(problem).toEqual({ type: 'MDM:TIMEOUT', upstreamCode: undefined });
    expect(Date.now() - before).toBeLessThan(20_000);
    const [socket] = await connected;
    await once(socket.resume(), 'close');
    expect(sockets.size).toBe(0);
  });

  it('the transport ends when the caller aborts in the middle of a response', async () => {
    const url = await answer((socket) => void socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nbegin'));
    const caller = new AbortController();
    setTimeout(() => caller.abort(), 100);

    const problem = await problemOf(send(url, '{}', { signal: caller.signal }));

    expect(problem.type).toBe('MDM:TIMEOUT');
  });
});
