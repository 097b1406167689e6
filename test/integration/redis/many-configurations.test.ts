import { expect, it } from '@jest/globals';
import { startSecretsManager } from '#sandbox/aws/secrets-manager.ts';
import { startRedisServer } from '#sandbox/redis/redis-server.ts';
import { callStream } from '../../support/stream/call-stream.ts';
import { use } from '../../support/jest/use.ts';
import { clientsOf } from '../../support/redis/clients.ts';
import { startContainer } from '../../support/aws/container.ts';

/* A container that serves more configurations than the server takes clients. */

const CONFIGURATIONS = 150;
const server = await use(startRedisServer({ args: ['--maxclients', '100'] }));
const secret = { redis: { url: server.url } };
const secrets = await use(
  startSecretsManager(Object.fromEntries(Array.from({ length: CONFIGURATIONS }, (_, at) => [`test/c${at}`, secret]))),
);
const lambda = await use(startContainer(secrets));

const add = (at: number) => callStream(lambda, 'HTTP', 'xadd', { configRef: `c${at}`, key: 's', entry: { a: '1' } });

it('the connections of the 50 most recently used configurations stay open', async () => {
  for (let round = 0; round < 2; round++) {
    for (let at = 0; at < CONFIGURATIONS; at++) expect(await add(at)).toMatchObject({ status: 200 });
  }

  expect(await clientsOf(server)).toBeLessThanOrEqual(52); // and this test's own
});

it('the configuration that was used last keeps its connection, even if it is the oldest', async () => {
  for (let at = 0; at < 50; at++) await add(at);
  await add(0);
  await add(50);
  const opened = async () =>
    Number(/total_connections_received:(\d+)/.exec(String(await server.command('INFO', 'stats')))![1]);
  const before = await opened();

  await add(0);

  expect((await opened()) - before).toBe(1); // this test's own
});

it('closing an idle connection ends no call in flight', async () => {
  const blocked = callStream(lambda, 'HTTP', 'xread', {
    configRef: 'c0',
    block: 2000,
    streamWatermarks: [{ key: 'quiet', id: '$' }],
  });
  for (let at = 1; at <= 60; at++) expect(await add(at)).toMatchObject({ status: 200 });
  await server.command('XADD', 'quiet', '1-0', 'a', 'b');

  expect(await blocked).toMatchObject({ status: 200, output: { quiet: [{ id: '1-0' }] } });
});
