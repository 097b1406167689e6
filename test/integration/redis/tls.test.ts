import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import net, { type AddressInfo } from 'node:net';
import tls, { createSecureContext } from 'node:tls';
import { freePort } from '#sandbox/network/free-port.ts';
import { startRedisServer } from '#sandbox/redis/redis-server.ts';
import { startSecretsManager } from '#sandbox/aws/secrets-manager.ts';
import { callStream } from '../../support/stream/call-stream.ts';
import { makeCertificates } from '../../support/redis/certificates.ts';
import { until } from '../../support/until.ts';
import { use } from '../../support/jest/use.ts';
import { startContainer } from '../../support/aws/container.ts';

/*
 * Endpoints as services have them: routed by name, behind client certificates, clusters that give addresses of their
 * own.
 */

const certificates = await use(makeCertificates(['IP:127.0.0.1', 'DNS:localhost', 'DNS:redis.example']));
const secrets = await use(startSecretsManager());
const lambda = await use(startContainer(secrets));

/** A server that has TLS on its other port. */
const start = (args: (tlsPort: number) => string[]) =>
  use(startRedisServer({ args: ({ otherPort }) => args(otherPort) }));

let configRefs = 0;
/** Status and error of an XADD with this `redis` part. */
async function addWith(redis: object) {
  const configRef = `c${++configRefs}`;
  secrets.set(`test/${configRef}`, { redis });
  const { status, error } = await callStream(lambda, 'HTTP', 'xadd', { configRef, key: 'a', entry: { a: '1' } });
  return { status, error };
}
const ADDED = { status: 200, error: undefined };

it.each(['valkey', 'redis'])(
  'a URL with %s:// is plain TCP, and with an s at the end of the scheme TLS',
  async (scheme) => {
    const { port, otherPort: tlsPort } = await start((free) => certificates.besides(free));

    expect(await addWith({ url: `${scheme}://127.0.0.1:${port}` })).toEqual(ADDED);
    expect(await addWith({ url: `${scheme}s://127.0.0.1:${tlsPort}`, ca: certificates.ca })).toEqual(ADDED);
  },
);

describe('an endpoint that picks the server by its name', () => {
  const names: string[] = [];
  let port: number;
  let endpoint: tls.Server;
  beforeAll(async () => {
    const { port: target } = await use(startRedisServer());
    endpoint = tls.createServer({
      SNICallback(name, callback) {
        names.push(name);
        const known = ['localhost', 'redis.example'].includes(name);
        callback(
          known ? null : new Error('unknown name'),
          known ? createSecureContext(certificates.server) : undefined,
        );
      },
    });
    endpoint.on('secureConnection', (client) => {
      const server = net.connect(target, '127.0.0.1');
      client.pipe(server).pipe(client);
      client.on('error', () => server.destroy()).on('close', () => server.destroy());
    });
    endpoint.on('tlsClientError', () => {});
    await new Promise<void>((resolve) => endpoint.listen(0, '127.0.0.1', resolve));
    ({ port } = endpoint.address() as AddressInfo);
  });
  afterAll(() => void endpoint.close());

  it('an endpoint that picks the server by its name is asked for the host of the URL', async () => {
    expect(await addWith({ url: `rediss://localhost:${port}`, ca: certificates.ca })).toEqual(ADDED);
    expect(names.at(-1)).toBe('localhost');
  });

  it("an endpoint that picks the server by its name is asked for the secret's servername, if any", async () => {
    const redis = { url: `rediss://127.0.0.1:${port}`, ca: certificates.ca, servername: 'redis.example' };

    expect(await addWith(redis)).toEqual(ADDED);
    expect(names.at(-1)).toBe('redis.example');
  });
});

it("a server that asks for a client certificate gets the secret's", async () => {
  const { otherPort: tlsPort } = await start((free) => certificates.besides(free, 'yes'));
  const redis = { url: `rediss://127.0.0.1:${tlsPort}`, ca: certificates.ca };

  expect(await addWith(redis)).toMatchObject({ status: 503 });
  expect(await addWith({ ...redis, ...certificates.client })).toEqual(ADDED);
});

describe('a TLS cluster', () => {
  /** A cluster of one node. */
  async function startNode(announced: (tlsPort: number) => string[]) {
    const bus = await freePort();
    const args = ['--cluster-enabled', 'yes', '--tls-cluster', 'yes', '--cluster-port', String(bus)];
    const server = await start((free) => [...args, ...certificates.besides(free), ...announced(free)]);
    const tlsPort = server.otherPort;
    await server.command('CLUSTER', 'ADDSLOTSRANGE', '0', '16383');
    await until(async () => String(await server.command('CLUSTER', 'INFO')).includes('cluster_state:ok'));
    return { mode: 'cluster', nodes: [`rediss://localhost:${tlsPort}`], ca: certificates.ca, tlsPort };
  }

  it('a TLS cluster that announces private addresses is reached through nodeAddressMap', async () => {
    const { tlsPort, ...redis } = await startNode(() => ['--cluster-announce-ip', '10.255.255.1']);
    const nodeAddressMap = { [`10.255.255.1:${tlsPort}`]: `localhost:${tlsPort}` };

    expect(await addWith({ ...redis, nodeAddressMap })).toEqual(ADDED);
  });

  it.each([
    ['null', ['--cluster-preferred-endpoint-type', 'unknown-endpoint']],
    ['no', []],
  ])('a TLS cluster whose nodes announce %s host is reached at the host of the first of nodes', async (_what, args) => {
    const { tlsPort: _port, ...redis } = await startNode(() => args);

    expect(await addWith(redis)).toEqual(ADDED);
  });
});
