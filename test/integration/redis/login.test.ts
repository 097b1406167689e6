import { describe, expect, it } from '@jest/globals';
import { callStream } from '../../support/stream/call-stream.ts';
import { makeCertificates } from '../../support/redis/certificates.ts';
import { startRedisServer } from '#sandbox/redis/redis-server.ts';
import { startSecretsManager } from '#sandbox/aws/secrets-manager.ts';
import { use } from '../../support/jest/use.ts';
import { startContainer } from '../../support/aws/container.ts';

const PASSWORD = 'p@ss/wörd:%';
const userInfo = (user: string) => `${user}:${encodeURIComponent(PASSWORD)}`;

const certificates = await use(makeCertificates());
const server = await use(
  startRedisServer({
    args: ({ port }) => [...certificates.redisArgs(port), '--requirepass', PASSWORD],
    url: (port) => `rediss://${userInfo('')}@127.0.0.1:${port}`,
  }),
);
const secrets = await use(startSecretsManager());
const lambda = await use(startContainer(secrets));

const call = (configRef: string, operation: string, parameters: object) =>
  callStream(lambda, 'HTTP', operation, { configRef, ...parameters });

describe('over TLS', () => {
  it("a call trusts the secret's private CA, and logs in with any password", async () => {
    secrets.set('test/tls', { redis: { url: server.url, ca: certificates.ca } });

    expect((await call('tls', 'xadd', { key: 'a', entry: { a: '1' } })).status).toBe(200);
  });

  it.each([
    ['without the CA', '127.0.0.1', {}],
    ['under another name than the certificate has', 'localhost', { withCa: true }],
  ])('a call refuses the server %s', async (_what, host, { withCa }: { withCa?: boolean }) => {
    const redis = { url: server.url.replace('127.0.0.1', host), ca: withCa ? certificates.ca : undefined };
    secrets.set(`test/tls-${host.replaceAll('.', '-')}`, { redis });

    const outcome = await call(`tls-${host.replaceAll('.', '-')}`, 'xadd', { key: 'a', entry: { a: '1' } });

    expect(outcome).toEqual({
      status: 503,
      error: { type: 'STREAM:COMMAND', message: expect.stringMatching(/^Redis is out of reach: /) },
    });
  });

  it('a call selects the database of the URL', async () => {
    secrets.set('test/database', { redis: { url: `${server.url}/3`, ca: certificates.ca } });

    await call('database', 'xadd', { key: 'in-3', entry: { a: '1' } });

    expect(String(await server.command('INFO', 'keyspace'))).toContain('db3:keys=1');
  });
});
