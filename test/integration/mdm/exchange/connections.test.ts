import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingMessage } from 'node:http';
import { createServer as createTlsServer, getCACertificates, setDefaultCACertificates } from 'node:tls';
import { connect, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterAll, describe, expect, it } from '@jest/globals';
import { handler as metadataRead } from '#functions/mdm/metadata-read/handler.ts';
import { handler as sourceSubmit } from '#functions/mdm/source-submit/handler.ts';
import { makeCertificates } from '#test/support/redis/certificates.ts';
import { startTcpProxy, type TcpProxy } from '#test/support/redis/tcp-proxy.ts';
import { startMdmStack } from '#test/support/mdm/mdm-sandbox.ts';
import { invokeSource, problemOf } from '#test/support/aws/source-handler.ts';
import { use } from '#test/support/jest/use.ts';

const servers: Server[] = [];
const proxies: TcpProxy[] = [];
const stack = await use(startMdmStack());
afterAll(async () => {
  for (const server of servers) server.close();
  await Promise.all(proxies.map((proxy) => proxy.close().catch(() => {})));
});

async function listen(server: Server): Promise<number> {
  servers.push(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port;
}

/** TLS in front of the sandbox, with a certificate that only its own CA vouches for. */
async function startTls(): Promise<{ url: string; ca: string }> {
  const { ca, server } = await use(makeCertificates());
  const target = Number(new URL(stack.mdm.url).port);
  const port = await listen(
    createTlsServer(server, (socket) => {
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
  it('a private CA is trusted along with the public roots, not instead of them', async () => {
    const [publicly, privately] = [await startTls(), await startTls()];
    const roots = getCACertificates('default');
    setDefaultCACertificates([...roots, publicly.ca]); // a service whose certificate comes from a public root
    const read = (url: string) => {
      const auth = { ...stack.mdm.secret.auth, loginUrl: url };
      const configRef = stack.configure({ auth, baseUrl: url, ca: privately.ca });
      return invokeSource(metadataRead, { resource: 'RELATIONSHIP', configRef });
    };

    const responses = await Promise.all([read(publicly.url), read(privately.url)]).finally(() =>
      setDefaultCACertificates(roots),
    );

    expect(responses.map(({ attributes }) => attributes.statusCode)).toEqual([200, 200]);
  });

  it('a private CA is trusted only where it is configured', async () => {
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
      upstreamCode: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    });
  });
});

describe('a client certificate', () => {
  /** TLS in front of the sandbox that accepts only clients with a certificate of the same CA. */
  async function startMutualTls() {
    const made = await use(makeCertificates());
    const port = new URL(stack.mdm.url).port;
    const options = { ...made.server, ca: made.ca, requestCert: true, rejectUnauthorized: true };
    const names: string[] = [];
    const server = createTlsServer(options, (socket) => {
      names.push(String(socket.getPeerCertificate().subject.CN));
      const plain = connect(Number(port), '127.0.0.1');
      socket.pipe(plain).pipe(socket);
      for (const side of [socket, plain]) side.on('error', () => {});
    });
    const url = `https://127.0.0.1:${await listen(server)}`;
    return { ...made, url, names, auth: { ...stack.mdm.secret.auth, loginUrl: url } };
  }

  it('a client certificate is presented to the login and the API, also through a proxy', async () => {
    const { url, auth, ca, client, names } = await startMutualTls();
    const { port, tunnels } = await startProxy();
    const read = (more: object) =>
      invokeSource(metadataRead, {
        resource: 'RELATIONSHIP',
        configRef: stack.configure({ auth, baseUrl: url, ca, ...client, ...more }),
      });

    const responses = [await read({}), await read({ proxy: `http://user:secret@127.0.0.1:${port}` })];

    expect(responses.map(({ attributes }) => attributes.statusCode)).toEqual([200, 200]);
    expect(new Set(names)).toEqual(new Set(['client']));
    expect(tunnels.length).toBeGreaterThan(0);
  });

  it('a missing client certificate fails the connection before anything is sent', async () => {
    const { url, auth, ca, names } = await startMutualTls();
    const configRef = stack.configure({ auth, baseUrl: url, ca });

    const problem = await problemOf(metadataRead, { resource: 'RELATIONSHIP', configRef });

    expect(problem).toMatchObject({ type: 'MDM:CONNECTIVITY', status: 503, outcome: 'not-sent' });
    expect(problem.hint).toBe('Set mdm.cert and mdm.key, the certificate of the client, or renew it.');
    expect(names).toEqual([]);
  });

  it('a client certificate that cannot be read or does not match its key is a fault of the secret', async () => {
    const { client, server } = await use(makeCertificates());
    const faultsOf = async (more: Record<string, unknown>) =>
      (await problemOf(metadataRead, { resource: 'RELATIONSHIP', configRef: stack.configure(more) })).errors;

    const pem = (name: string) => `-----BEGIN ${name}-----\nAAAA\n-----END ${name}-----`;
    expect(await faultsOf({ cert: client.cert })).toEqual([{ pointer: '/mdm', message: 'needs key beside cert' }]);
    expect(await faultsOf({ cert: client.cert, key: server.key })).toEqual([
      { pointer: '/mdm/key', message: 'does not belong to cert' },
    ]);
    expect(await faultsOf({ cert: pem('CERTIFICATE'), key: pem('PRIVATE KEY') })).toEqual([
      { pointer: '/mdm/cert', message: 'is no certificate' },
      { pointer: '/mdm/key', message: 'is no private key without a passphrase' },
    ]);
  });
});

describe('an HTTP proxy', () => {
  it('an HTTP proxy carries logins and calls, with and without TLS', async () => {
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
});

describe('connections to the API', () => {
  const record = { firstName: 'Ada', lastName: 'Lovelace' };
  /** A configuration whose calls all go through a proxy that can cut them, and an unkeyed submit by it. */
  async function behindProxy() {
    const proxy = await startTcpProxy(Number(new URL(stack.mdm.url).port));
    proxies.push(proxy);
    const url = `http://127.0.0.1:${proxy.port}`;
    const configRef = stack.configure({ baseUrl: url, auth: { ...stack.mdm.secret.auth, loginUrl: url } });
    const call = { configRef, businessEntity: 'c360.person', sourceSystem: 'crm', record };
    return { proxy, configRef, submit: () => invokeSource(sourceSubmit, call) };
  }
  const submitted = () => stack.mdm.records.allSources('c360.person').length;

  it('connections to the API are reused from call to call', async () => {
    const { proxy, configRef } = await behindProxy();

    for (let call = 0; call < 5; call++) await invokeSource(metadataRead, { resource: 'RELATIONSHIP', configRef });

    expect(proxy.connections).toBe(1);
  });

  it('connections reset while idle neither lose nor duplicate a submit without a key', async () => {
    const { proxy, submit } = await behindProxy();
    const before = submitted();

    for (let round = 0; round < 20; round++) {
      expect((await submit()).attributes.statusCode).toBe(201);
      proxy.cut();
    }

    expect(submitted() - before).toBe(20);
  });

  it('a failed connection attempt is retried even for a submit without a key', async () => {
    const { proxy, submit } = await behindProxy();
    await submit();
    const before = submitted();
    await proxy.close();
    const target = Number(new URL(stack.mdm.url).port);
    setTimeout(() => void startTcpProxy(target, proxy.port).then((again) => proxies.push(again)), 100);

    expect((await submit()).attributes.statusCode).toBe(201);
    expect(submitted() - before).toBe(1);
  });

  it('a submit without a key is not retried if its connection ends while it is on the way', async () => {
    const { configRef } = await behindProxy();
    stack.mdm.misbehave({ path: '/business-entity', after: true, reset: true });
    const before = submitted();

    const problem = await problemOf(sourceSubmit, {
      configRef,
      businessEntity: 'c360.person',
      sourceSystem: 'crm',
      record,
    });

    expect(problem).toMatchObject({ type: 'MDM:CONNECTIVITY', status: 503 });
    expect(submitted() - before).toBe(1);
  });

  it('connections idle for 30 s are not reused, even if the container was frozen', async () => {
    const { proxy, configRef } = await behindProxy();
    const read = () => invokeSource(metadataRead, { resource: 'RELATIONSHIP', configRef });
    await read();
    const realNow = Date.now;
    Date.now = () => realNow() + 31_000; // as in a container that was frozen, and its timers with it

    await read().finally(() => (Date.now = realNow));

    expect(proxy.connections).toBe(2);
  });

  it('connections used within 30 s stay in use while others are closed', async () => {
    const { proxy, configRef } = await behindProxy();
    const read = () => invokeSource(metadataRead, { resource: 'RELATIONSHIP', configRef });
    const twoAtOnce = () => Promise.all([read(), read()]);
    await read();
    await twoAtOnce();
    expect(proxy.connections).toBe(2);
    const realNow = Date.now;
    const later = (seconds: number) => void (Date.now = () => realNow() + seconds * 1000);

    try {
      later(20);
      await read();
      later(31);
      await read();
      expect(proxy.connections).toBe(2);
      await twoAtOnce();
    } finally {
      Date.now = realNow;
    }

    expect(proxy.connections).toBe(3);
  });
});
