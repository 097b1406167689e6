import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingMessage } from 'node:http';
import { createServer as createTlsServer } from 'node:tls';
import { connect, type AddressInfo, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { handler as metadataRead } from '../../../functions/mdm/metadata-read/handler.ts';
import { startMdmStack, type MdmStack } from '../../support/mdm-sandbox.ts';
import { invokeSource, problemOf } from '../../support/source-handler.ts';

let stack: MdmStack;
const servers: Server[] = [];
const folder = mkdtempSync(join(tmpdir(), 'mdm-tls-'));
beforeAll(async () => {
  stack = await startMdmStack();
});
afterAll(async () => {
  for (const server of servers) server.close();
  rmSync(folder, { recursive: true });
  await stack.close();
});

async function listen(server: Server): Promise<number> {
  servers.push(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port;
}

/** TLS in front of the sandbox, with a certificate that only its own CA vouches for. */
async function startTls(): Promise<{ url: string; ca: string }> {
  const [keyFile, certFile] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
  const args = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-keyout', keyFile, '-out', certFile];
  execFileSync('openssl', [...args, ...subject], { stdio: 'ignore' });
  const ca = readFileSync(certFile, 'utf8');
  const target = Number(new URL(stack.mdm.url).port);
  const port = await listen(
    createTlsServer({ key: readFileSync(keyFile), cert: ca }, (socket) => {
      const plain = connect(target, '127.0.0.1');
      socket.pipe(plain).pipe(socket);
      for (const side of [socket, plain]) side.on('error', () => {});
    }),
  );
  return { url: `https://127.0.0.1:${port}`, ca };
}

/** An HTTP proxy that lets one user through. */
async function startProxy() {
  const tunnels: string[] = [];
  const server = createHttpServer();
  server.on('connect', (request: IncomingMessage, socket: Socket) => {
    if (request.headers['proxy-authorization'] !== `Basic ${btoa('user:secret')}`) {
      return void socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
    }
    tunnels.push(request.url!);
    const [host, port] = request.url!.split(':');
    const target = connect(Number(port), host, () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      socket.pipe(target).pipe(socket);
    });
    for (const side of [socket, target]) side.on('error', () => {});
  });
  return { port: await listen(server), tunnels };
}

describe('a private CA', () => {
  it('is trusted where it is configured, and only there', async () => {
    const { url, ca } = await startTls();
    const auth = { ...stack.mdm.secret.auth, loginUrl: url };

    const trusted = await invokeSource(metadataRead, {
      resource: 'RELATIONSHIP',
      configRef: stack.configure({ auth, baseUrl: url, ca }),
    });
    const problem = await problemOf(metadataRead, {
      resource: 'RELATIONSHIP',
      configRef: stack.configure({ auth, baseUrl: url }),
    });

    expect(trusted.attributes.statusCode).toBe(200);
    expect(problem).toMatchObject({
      type: 'MDM:CONNECTIVITY',
      status: 503,
      upstreamCode: 'DEPTH_ZERO_SELF_SIGNED_CERT',
    });
  });
});

describe('an HTTP proxy', () => {
  it('carries logins and calls, over TLS and plain', async () => {
    const { url, ca } = await startTls();
    const { port, tunnels } = await startProxy();
    const proxy = `http://user:secret@127.0.0.1:${port}`;
    const auth = { ...stack.mdm.secret.auth, loginUrl: url };

    const overTls = await invokeSource(metadataRead, {
      resource: 'RELATIONSHIP',
      configRef: stack.configure({ auth, baseUrl: url, ca, proxy }),
    });
    const plain = await invokeSource(metadataRead, {
      resource: 'RELATIONSHIP',
      configRef: stack.configure({ proxy, headers: { 'x-way': 'plain' } }),
    });

    expect([overTls, plain].map(({ attributes }) => attributes.statusCode)).toEqual([200, 200]);
    expect(new Set(tunnels)).toEqual(new Set([new URL(url).host, new URL(stack.mdm.url).host]));
  });

  it('that refuses is a connectivity error without its password', async () => {
    const { port } = await startProxy();
    const configRef = stack.configure({ proxy: `http://user:hunter2@127.0.0.1:${port}` });

    const problem = await problemOf(metadataRead, { resource: 'RELATIONSHIP', configRef }, { timeoutMs: 2000 });

    expect(problem).toMatchObject({ type: 'MDM:CONNECTIVITY', status: 503 });
    expect(JSON.stringify(problem)).not.toContain('hunter2');
  });
});

it('connections are kept open from call to call', async () => {
  const sockets = new Set<Socket>();
  const target = Number(new URL(stack.mdm.url).port);
  const { createServer } = await import('node:net');
  const port = await listen(
    createServer((socket) => {
      sockets.add(socket);
      const plain = connect(target, '127.0.0.1');
      socket.pipe(plain).pipe(socket);
      for (const side of [socket, plain]) side.on('error', () => {});
    }),
  );
  const configRef = stack.configure({
    baseUrl: `http://127.0.0.1:${port}`,
    auth: { ...stack.mdm.secret.auth, loginUrl: `http://127.0.0.1:${port}` },
  });

  for (let call = 0; call < 5; call++) await invokeSource(metadataRead, { resource: 'RELATIONSHIP', configRef });

  expect(sockets.size).toBe(1);
});
