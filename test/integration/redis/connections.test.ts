import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { failed, startFaultFixture, type FaultFixture } from '../../support/mdm/fault-fixture.ts';
import { clientsOf } from '../../support/redis/clients.ts';
import { until } from '../../support/until.ts';
import { use } from '../../support/jest/use.ts';

/* What endpoints ask of a connection, and what a connection does when its server or its secret changes. */

const fixture = await use(startFaultFixture());
afterEach(() => fixture.clear());

const blocked = (block: number, key = 's') => ({ key: undefined, block, streamWatermarks: [{ key, id: '$' }] });
const isBlocked = async (server: { command(...args: string[]): Promise<unknown> }) =>
  String(await server.command('INFO', 'clients')).includes('blocked_clients:1');

describe('a read that blocks', () => {
  it('a blocking read responds {} near the deadline, even if connecting took time', async () => {
    const server = await fixture.redisServer();
    const proxy = await fixture.proxyTo(server);
    fixture.use(`redis://127.0.0.1:${proxy.port}`);

    proxy.delay(100);
    const outcome = await fixture.call('xread', blocked(60_000), { timeoutMs: 5000 });

    expect(outcome).toMatchObject({ status: 200, output: {} });
  });

  it('a blocking read responds {} after its socket was silently dead', async () => {
    const server = await fixture.redisServer();
    const proxy = await fixture.proxyTo(server);
    fixture.use(`redis://127.0.0.1:${proxy.port}`, 1500); // a busy machine connects slowly
    await fixture.call('xread', blocked(1));
    await sleep(1100);

    proxy.abandon();
    const outcome = await fixture.call('xread', blocked(60_000), { timeoutMs: 4000 });

    expect(outcome).toMatchObject({ status: 200, output: {} });
  });

  it('a blocking read is a retryable 503 if its primary becomes a replica', async () => {
    const [server, other] = [await fixture.redisServer(), await fixture.redisServer()];
    fixture.use(server.url);
    await fixture.call();

    const reading = fixture.call('xread', blocked(900));
    await until(() => isBlocked(server));
    await server.command('REPLICAOF', '127.0.0.1', String(other.port));

    expect(await reading).toEqual(failed(503, /^UNBLOCKED/));
  });
});

it('a call to a server with too many clients is a retryable 503', async () => {
  const server = await fixture.redisServer({ args: ['--maxclients', '1'] });
  const holder = net.connect(server.port, '127.0.0.1');
  await once(holder, 'connect');
  fixture.use(server.url);

  expect(await fixture.call()).toEqual(failed(503));
  holder.destroy();
  await until(async () => (await fixture.call()).status === 200);
});

describe('a secret for the wrong server', () => {
  const configuration = (message: RegExp) => ({
    status: 500,
    error: { type: 'CONNECTOR:CONFIGURATION', message: expect.stringMatching(message) as unknown },
  });

  it('a missing database number is named in the error', async () => {
    const server = await fixture.redisServer();
    fixture.use(`${server.url}/99`);

    expect(await fixture.call()).toEqual(configuration(/database number of redis\.url/));
  });
});

it.each(['valkey', 'redis'])('a URL of %s:// is accepted', async (scheme) => {
  const server = await fixture.redisServer();
  fixture.use(server.url.replace('redis', scheme));

  expect((await fixture.call()).status).toBe(200);
});

describe('a changed secret', () => {
  let fresh: FaultFixture;
  beforeAll(async () => (fresh = await startFaultFixture({ secretTtlMs: 0 })));
  afterAll(() => fresh.stop());

  it('a changed secret ends no waiting read, and leaves no connection behind', async () => {
    const [server, next] = [await fixture.redisServer(), await fixture.redisServer()];
    fresh.use(server.url);
    const reading = fresh.call('xread', blocked(5000));
    await until(() => isBlocked(server));

    fresh.use(next.url);
    await fresh.call('xread', blocked(1));
    await server.command('XADD', 's', '9999999999999-9', 'a', '1');

    expect((await reading).output).toEqual({ s: [{ id: '9999999999999-9', entry: { a: '1' } }] });
    await until(async () => (await clientsOf(server)) === 1); // this test's own
  });
});
