import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { callStream } from '../../support/stream/call-stream.ts';
import { makeCertificates, type Certificates } from '../../support/redis/certificates.ts';
import { createDocumentedUser } from '../../support/redis/documented-user.ts';
import { registry } from '../../../functions/registry.ts';
import { startLambda, type Lambda } from '../../../sandbox/aws/lambda.ts';
import { startRedisServer, type RedisServer } from '../../../sandbox/redis/redis-server.ts';
import { startSecretsManager, type SecretsManager } from '../../../sandbox/aws/secrets-manager.ts';

const PASSWORD = 'p@ss/wörd:%';
const userInfo = (user: string) => `${user}:${encodeURIComponent(PASSWORD)}`;

let certificates: Certificates;
let server: RedisServer;
let secrets: SecretsManager;
let lambda: Lambda;

beforeAll(async () => {
  certificates = await makeCertificates();
  server = await startRedisServer({
    args: (port) => [...certificates.redisArgs(port), '--requirepass', PASSWORD],
    url: (port) => `rediss://${userInfo('')}@127.0.0.1:${port}`,
  });
  secrets = await startSecretsManager();
  lambda = await startLambda({
    env: { CONNECTOR_SECRET_PREFIX: 'test/', AWS_ENDPOINT_URL_SECRETS_MANAGER: secrets.url },
  });
});
afterAll(async () => {
  await Promise.all([lambda.stop(), secrets.close(), server.stop(), certificates.remove()]);
});

const call = (configRef: string, operation: string, parameters: object) =>
  callStream(lambda, 'HTTP', operation, { configRef, ...parameters });

describe('over TLS', () => {
  it('trusts a private CA that the secret brings, and logs in with any password', async () => {
    secrets.set('test/tls', { redis: { url: server.url, ca: certificates.ca } });

    expect((await call('tls', 'xadd', { key: 'a', entry: { a: '1' } })).status).toBe(200);
  });

  it.each([
    ['without the CA', '127.0.0.1', {}],
    ['under another name than the certificate has', 'localhost', { withCa: true }],
  ])('refuses the server %s', async (_what, host, { withCa }: { withCa?: boolean }) => {
    const redis = { url: server.url.replace('127.0.0.1', host), ca: withCa ? certificates.ca : undefined };
    secrets.set(`test/tls-${host.replaceAll('.', '-')}`, { redis });

    const outcome = await call(`tls-${host.replaceAll('.', '-')}`, 'xadd', { key: 'a', entry: { a: '1' } });

    expect(outcome).toEqual({ status: 503, error: { type: 'STREAM:COMMAND', message: 'Redis is out of reach' } });
  });

  it('selects the database of the URL', async () => {
    secrets.set('test/database', { redis: { url: `${server.url}/3`, ca: certificates.ca } });

    await call('database', 'xadd', { key: 'in-3', entry: { a: '1' } });

    expect(String(await server.command('INFO', 'keyspace'))).toContain('db3:keys=1');
  });
});

describe('a user of docs/redis.md', () => {
  const page = readFileSync(new URL('../../../docs/redis.md', import.meta.url), 'utf8');
  const create = async (user: string) => {
    await createDocumentedUser(server, user, PASSWORD);
    return { url: server.url.replace(userInfo(''), userInfo(user)), ca: certificates.ca };
  };

  it('may do all that the operations need', async () => {
    secrets.set('test/acl', { redis: await create('streams') });
    const key = 'orders:1';
    const ids = ['1-0'];
    const statuses = [];

    statuses.push((await call('acl', 'xgroup-create', { key, group: 'g', mkstream: true })).status);
    statuses.push((await call('acl', 'xadd', { key, id: '1-0', entry: { a: '1' } })).status);
    statuses.push((await call('acl', 'xrange', { key, start: '-', end: '+' })).status);
    statuses.push((await call('acl', 'xread', { streamWatermarks: [{ key, id: '0' }] })).status);
    const member = { group: 'g', consumer: 'c', streamWatermarks: [{ key, id: '>' }] };
    statuses.push((await call('acl', 'xreadgroup', { ...member, block: 1 })).status);
    statuses.push((await call('acl', 'xack', { key, group: 'g', ids })).status);
    statuses.push((await call('acl', 'xinfo-groups', { key })).status);
    statuses.push((await call('acl', 'xdel', { key, ids })).status);
    statuses.push((await call('acl', 'xtrim', { key, evictionOption: { maxLength: 0 } })).status);
    const claim = { key, group: 'g', consumer: 'd', minIdleMs: 0 };
    statuses.push((await call('acl', 'xclaim', { ...claim, ids })).status);
    statuses.push((await call('acl', 'xautoclaim', claim)).status);
    statuses.push((await call('acl', 'xgroup-destroy', { key, group: 'g' })).status);

    expect(statuses).toEqual([204, ...Array<number>(11).fill(200)]);
  });

  /** Redis 7 does not know them; what the page says for newer servers is checked with the other operations. */
  const NEWER = ['stream-xdelex', 'stream-xackdel'];
  const commands = registry.filter(({ name }) => name.startsWith('stream-x') && !NEWER.includes(name));

  /** Stream operations that the user is not permitted on this key, called with their examples. */
  async function deniedOn(key: string, configRef: string): Promise<string[]> {
    const outcomes = commands.map(async ({ name, example }) => {
      const input = JSON.stringify(example.input, (member, value: unknown) =>
        member === 'key' ? key : member === 'block' ? 1 : value,
      );
      const { status } = await call(configRef, name.slice('stream-'.length), JSON.parse(input) as object);
      return status === 502 ? [name] : []; // NOPERM; an absent group or stream is another status
    });
    return (await Promise.all(outcomes)).flat();
  }

  it('may send the command of every stream operation to its keys, and of none to others', async () => {
    secrets.set('test/acl', { redis: await create('streams') });

    expect(await deniedOn('orders:2', 'acl')).toEqual([]);
    expect(await deniedOn('invoices', 'acl')).toEqual(commands.map(({ name }) => name));
  });

  it('may send no command that no operation needs', async () => {
    secrets.set('test/acl', { redis: await create('streams') });
    const [, words] = /^ACL SETUSER streams (.*)$/m.exec(page)!;
    const others = [
      ...['+ping', '+select', '+asking', '+cluster|slots'], // of the connection
      '+eval_ro', // of an XREAD that waits for entries after `$`, which no example does
      ...['+xreadgroup', '+xclaim', '+xautoclaim'], // of scripts, which come to them where the group exists
    ];
    const allowed = words!.split(' ').filter((word) => word.startsWith('+') && !others.includes(word));
    const unneeded = [];

    for (const command of allowed) {
      await server.command('ACL', 'SETUSER', 'streams', command.replace('+', '-'));
      if ((await deniedOn('orders:3', 'acl')).length === 0) unneeded.push(command);
      await server.command('ACL', 'SETUSER', 'streams', command);
    }

    expect(allowed.length).toBeGreaterThan(0);
    expect(unneeded).toEqual([]);
  });

  it('may do all that the consumer needs', async () => {
    const mdm = { auth: { type: 'session', sessionId: 'x' }, baseUrl: 'http://127.0.0.1:1' };
    secrets.set('test/consumer', { redis: await create('consumer'), mdm });
    const record = { businessEntity: 'c360.person', sourceSystem: 's', sourcePKey: '1', record: '{}' };
    await server.command('XADD', 'source-submit:0', '*', 'broken', 'entry');
    await server.command('XADD', 'source-submit:0', '*', ...Object.entries(record).flat());

    const run = { configRef: 'consumer', stream: 'source-submit:0', group: 'mdm', trim: true };
    const report = await lambda.invoke<object>('stream-consumer', { ...run, backoffMs: 1 }, { timeoutMs: 3000 });
    const again = await lambda.invoke<object>('stream-consumer', run, { timeoutMs: 3000 });
    const redriven = await lambda.invoke<object>('stream-redrive', { ...run, trim: undefined });

    expect(report).toMatchObject({ read: 2, deadLettered: 1 });
    expect(again).toMatchObject({ deadLettered: 0, pending: 1 });
    expect(redriven).toMatchObject({ redriven: 1 });
  });
});
