import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startLambda, type Lambda } from '../../../sandbox/aws/lambda.ts';
import { startSecretsManager, type SecretsManager } from '../../../sandbox/aws/secrets-manager.ts';
import { startRedisServer, type RedisServer } from '../../../sandbox/redis/redis-server.ts';
import { callStream } from '../../support/stream/call-stream.ts';

/* A container that serves more configurations than the server takes clients. */

const CONFIGURATIONS = 150;
let server: RedisServer;
let secrets: SecretsManager;
let lambda: Lambda;
beforeAll(async () => {
  server = await startRedisServer({ args: ['--maxclients', '100'] });
  const secret = { redis: { url: server.url } };
  secrets = await startSecretsManager(
    Object.fromEntries(Array.from({ length: CONFIGURATIONS }, (_, at) => [`test/c${at}`, secret])),
  );
  lambda = await startLambda({
    env: { CONNECTOR_SECRET_PREFIX: 'test/', AWS_ENDPOINT_URL_SECRETS_MANAGER: secrets.url },
  });
});
afterAll(() => Promise.all([lambda.stop(), secrets.close(), server.stop()]));

const clients = async () =>
  String(await server.command('CLIENT', 'LIST'))
    .trim()
    .split('\n').length;
const add = (at: number) => callStream(lambda, 'HTTP', 'xadd', { configRef: `c${at}`, key: 's', entry: { a: '1' } });

it('keeps the connections of the 50 that were used last', async () => {
  for (let round = 0; round < 2; round++) {
    for (let at = 0; at < CONFIGURATIONS; at++) expect(await add(at)).toMatchObject({ status: 200 });
  }

  expect(await clients()).toBeLessThanOrEqual(52); // and the one that asks
});

it('ends no call that is under way on a connection that is not kept', async () => {
  const blocked = callStream(lambda, 'HTTP', 'xread', {
    configRef: 'c0',
    block: 2000,
    streamWatermarks: [{ key: 'quiet', id: '$' }],
  });
  for (let at = 1; at <= 60; at++) expect(await add(at)).toMatchObject({ status: 200 });
  await server.command('XADD', 'quiet', '1-0', 'a', 'b');

  expect(await blocked).toMatchObject({ status: 200, output: { quiet: [{ id: '1-0' }] } });
});
