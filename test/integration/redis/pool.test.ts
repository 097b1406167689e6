import { afterEach, expect, it, jest } from '@jest/globals';
import { once } from 'node:events';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Deadline } from '#lib/core/deadline.ts';
import type { ConnectorError } from '#lib/core/errors.ts';
import { wholeTurn } from '#lib/core/turn.ts';
import { Pool } from '#lib/redis/pool.ts';
import type { Command } from '#lib/redis/redis.ts';
import { startRedisServer } from '#sandbox/redis/redis-server.ts';
import { use } from '../../support/jest/use.ts';
import { clientsOf } from '../../support/redis/clients.ts';
import { startTcpProxy } from '../../support/redis/tcp-proxy.ts';
import { until } from '../../support/until.ts';

/* Which connections a pool keeps and ends, and what it still sends on them. */

/** What a busy machine keeps, too. */
const COMMAND_MS = 10_000;
const server = await use(
  startRedisServer({ args: ['--requirepass', 'x'], url: (port) => `redis://:x@127.0.0.1:${port}` }),
);
const pools: Pool[] = [];
afterEach(() => {
  jest.restoreAllMocks();
  for (const pool of pools.splice(0)) pool.retire();
});

function open(port = server.port, user = ':x'): Pool {
  const url = `redis://${user}@127.0.0.1:${port}`;
  const times = { connectTimeoutMs: COMMAND_MS, commandTimeoutMs: COMMAND_MS };
  const pool = new Pool({ mode: 'standalone', url, ...times });
  pools.push(pool);
  return pool;
}
const send = (
  pool: Pool,
  args: string[],
  { ms = COMMAND_MS, ...more }: { ms?: number } & Partial<Command<unknown>> = {},
) => pool.send({ key: 's', args, decode: (reply) => reply, ...more }, Deadline.after(ms));
const ping = (pool: Pool, more: Partial<Command<unknown>> = {}) => send(pool, ['PING'], more);
const throughProxy = () => use(startTcpProxy(server.port));
/** Those of the pool: one is this test's own. */
const connections = async () => (await clientsOf(server)) - 1;

it('a pool whose configuration was replaced ends the connections that it keeps', async () => {
  const pool = open();
  await ping(pool);
  await ping(pool, { blockMs: 1 });
  expect(await connections()).toBe(2);

  pool.retire();

  await until(async () => (await connections()) === 0);
});

it('a call that goes on after its configuration was replaced leaves no connection behind', async () => {
  const pool = open();
  pool.retire();

  expect(await ping(pool)).toBe('PONG');
  expect(await ping(pool, { blockMs: 1 })).toBe('PONG');

  await until(async () => (await connections()) === 0);
});

it.each([
  ['a second ago', 1100],
  ['while the clock was set back', -3_600_000],
])('a connection that died %s is not used', async (_when, movedMs) => {
  const proxy = await throughProxy();
  const pool = open(proxy.port);
  await ping(pool);
  const now = Date.now.bind(Date);
  proxy.abandon();
  jest.spyOn(Date, 'now').mockImplementation(() => now() + movedMs);

  expect(await ping(pool)).toBe('PONG');
});

it('a server that ends a connection with many commands on it is asked once what it speaks', async () => {
  let connections = 0;
  const closing = net.createServer((socket) => {
    connections++;
    socket.on('error', () => {}).once('data', () => socket.destroy());
  });
  await once(closing.listen(0, '127.0.0.1'), 'listening');
  const pool = open((closing.address() as net.AddressInfo).port, '');

  const results = await Promise.allSettled(Array.from({ length: 100 }, () => ping(pool)));
  closing.close();

  expect(new Set(results.map((result) => 'reason' in result && (result.reason as ConnectorError).status))).toEqual(
    new Set([503]),
  );
  expect(connections).toBe(2);
});

it('a connection whose reply takes more than a second is not taken for a dead one', async () => {
  const proxy = await throughProxy();
  const pool = open(proxy.port);
  await ping(pool);
  proxy.delay(1600);

  const slow = ping(pool);
  await sleep(1050);

  expect(await Promise.all([slow, ping(pool)])).toEqual(['PONG', 'PONG']);
  expect(proxy.connections).toBe(1);
});

it('a reply that arrived while the process had no core is not late', async () => {
  const pool = open();
  await ping(pool);
  const reply = send(pool, ['BLPOP', 'none', '0.05'], { ms: 100 });
  await wholeTurn(); // it is sent

  for (const until = performance.now() + 300; performance.now() < until;);

  expect(await reply).toBeNull();
});

it('a command whose caller was told that it was not sent is not sent later', async () => {
  const proxy = await throughProxy();
  const pool = open(proxy.port);
  proxy.delay(300);

  const late = send(pool, ['XADD', 'late', '*', 'a', '1'], { ms: 100 });
  await expect(late).rejects.toMatchObject({ status: 504, outcome: 'not-sent' });
  await sleep(700);

  expect(await server.command('EXISTS', 'late')).toBe(0);
});

it('a command is sent at once after a transaction that the user may not run', async () => {
  await server.command('ACL', 'SETUSER', 'limited', 'on', '>x', '~*', '+@all', '-exec');
  const pool = open(server.port, 'limited:x');

  const transaction = send(pool, [], { transaction: [['XADD', 's', '*', 'a', '1']] });
  await expect(transaction).rejects.toMatchObject({ upstreamCode: 'NOPERM' });

  expect(await ping(pool)).toBe('PONG');
});

it('a command whose server does not say whether it knows it was not sent', async () => {
  const pool = open();
  await ping(pool);
  server.freeze();

  const asked = ping(pool, { ms: 100, needs: { since: 'Redis 8.6', command: 'PING' } } as object);

  await expect(asked)
    .rejects.toMatchObject({ status: 504, outcome: 'not-sent' })
    .finally(() => server.thaw());
});

it('a connection that ends after an error of Redis is named as one that had worked', async () => {
  const proxy = await throughProxy();
  const pool = open(proxy.port);
  await expect(send(pool, ['XLEN'])).rejects.toMatchObject({ upstreamCode: 'ERR' });

  proxy.cutReply();

  await expect(ping(pool)).rejects.toMatchObject({ message: expect.stringMatching(/ broke \(/) as unknown });
});

it('a command waits until the caller of an earlier one knows that its reply was lost', async () => {
  const proxy = await throughProxy();
  const pool = open(proxy.port);
  const told: string[] = [];
  proxy.cutReply(1); // after that to the login

  const lost = send(pool, ['XADD', 'lost', '*', 'a', '1']).catch(() => told.push('lost'));
  await until(async () => (await server.command('EXISTS', 'lost')) === 1);
  await sleep(50); // the connection has ended, and the pool looks for the cause
  const next = ping(pool).then(() => told.push('next'));

  await Promise.all([lost, next]);
  expect(told).toEqual(['lost', 'next']);
});

it('a command is sent at once after one that was given up while the server was silent', async () => {
  const proxy = await throughProxy();
  const pool = open(proxy.port);
  proxy.stall();
  await expect(ping(pool, { ms: 100 } as object)).rejects.toMatchObject({ status: 504 });

  const next = ping(pool);
  proxy.pass();

  expect(await next).toBe('PONG');
});

/** Pools that do not send the next command at once. */
const waiting = {
  'for the connection': () => Promise.resolve(open()),
  'for the check of an idle connection': async () => {
    const pool = open();
    await ping(pool);
    const now = Date.now.bind(Date);
    jest.spyOn(Date, 'now').mockImplementationOnce(() => now() + 1100);
    return pool;
  },
  'for a command on a former connection': async () => {
    const proxy = await throughProxy();
    const pool = open(proxy.port);
    proxy.cutReply(1); // after that to the login
    void send(pool, ['XADD', 'cut', '*', 'a', '1']).catch(() => {});
    await until(async () => (await server.command('EXISTS', 'cut')) === 1);
    await sleep(50); // the connection has ended, and the pool looks for the cause
    return pool;
  },
};

it.each(Object.entries(waiting))(
  'two replies that arrive together keep their order, if the first command waited %s',
  async (_what, openWaiting) => {
    const pool = await openWaiting();
    const told: unknown[] = [];

    const first = send(pool, ['WAIT', '1', '600']).then((reply) => told.push(reply));
    await sleep(500);
    const second = ping(pool).then((reply) => told.push(reply));

    await Promise.all([first, second]);
    expect(told).toEqual(['0', 'PONG']);
  },
);
