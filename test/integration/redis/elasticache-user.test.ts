import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from '@jest/globals';
import { registry } from '#functions/registry.ts';
import { startLambdaEndpoint } from '#sandbox/aws/lambda-endpoint.ts';
import { type InvocationFailure } from '#sandbox/aws/lambda.ts';
import { startRedisServer } from '#sandbox/redis/redis-server.ts';
import { startMdmStack } from '../../support/mdm/mdm-sandbox.ts';
import { use } from '../../support/jest/use.ts';
import { startContainer } from '../../support/aws/container.ts';

/*
 * The packaged functions as the user of docs/examples/elasticache.yml, on a real server: whatever it may not do stands
 * in the server's ACL LOG, scripts included.
 */

const [, rights] = /^ *AccessString: (.*)$/m.exec(readFileSync('docs/examples/elasticache.yml', 'utf8'))!;
// Valkey lacks the others
const commands = registry.filter(({ group, sinceRedis }) => group === 'streams' && !sinceRedis);
const city = (sourcePKey: string, Code = 'DE') => ({ sourcePKey, record: { name: sourcePKey, country: { Code } } });
const of = { businessEntity: 'c360.city', sourceSystem: 'geonames' };

const stack = await use(startMdmStack());
const redis = await use(startRedisServer());
const endpoint = await use(startLambdaEndpoint());
await redis.command('ACL', 'SETUSER', 'functions', 'reset', '>password', ...rights!.split(' '));
stack.secrets.set('test/default', {
  mdm: { ...stack.mdm.secret, sessionStore: 'redis', sessionKey: 'k'.repeat(32) },
  redis: { url: redis.url.replace('//', '//functions:password@') },
  ingest: { stream: 'cities', shards: 1 },
});
const lambda = await use(
  startContainer(stack.secrets, {
    LOG_LEVEL: 'error',
    AWS_ENDPOINT_URL_LAMBDA: endpoint.url,
    CONNECTOR_CONSUMER_FUNCTION: 'mdm-stream-test-stream-consumer',
  }),
);
afterEach(async () => {
  expect(await redis.command('ACL', 'LOG')).toEqual([]);
});

describe("the ElastiCache example's user", () => {
  it('the ElastiCache user may carry records from an enqueue into the MDM, and redrive dead letters', async () => {
    await lambda.invoke('mdm-source-enqueue', { ...of, ...city('one') });
    await lambda.invoke('mdm-source-enqueue-batch', { ...of, records: [city('two'), city('refused', 'QQ')] });
    const run = await lambda.invoke<object>('stream-consumer', { trim: true });
    const [status] = await lambda.invoke<object[]>('stream-status', {});
    const redriven = await lambda.invoke<object>('stream-redrive', { stream: 'cities:0', group: 'mdm' });
    const again = await lambda.invoke<object>('stream-consumer', {});

    expect(run).toMatchObject({ processed: 2, deadLettered: 1, stoppedBecause: 'drained' });
    expect(status).toMatchObject({ stream: 'cities:0', pending: 0 });
    expect(redriven).toMatchObject({ redriven: 1, remaining: 0 });
    expect(again).toMatchObject({ deadLettered: 1 });
    expect(stack.mdm.logins).toBe(1); // the session is shared through this Redis
    expect(endpoint.invocations.length).toBeGreaterThan(0); // an enqueue wakes the consumer
  }, 30_000);

  it('the ElastiCache user may pause the consumer, and resume it', async () => {
    await lambda.invoke('stream-pause', { forMs: 60_000 });
    const paused = await lambda.invoke<object>('stream-consumer', {});
    await lambda.invoke('stream-pause', { resume: true });

    expect(paused).toMatchObject({ stoppedBecause: 'paused' });
    expect(await lambda.invoke<object>('stream-consumer', {})).toMatchObject({ stoppedBecause: 'drained' });
  }, 30_000);

  it('the ElastiCache user may read a golden record with the shared session', async () => {
    const key = { businessEntity: 'c360.city', sourceSystem: 'geonames', sourcePKey: 'one' };

    expect(await lambda.invoke('mdm-master-read', key)).toMatchObject({ attributes: { statusCode: 200 } });
    expect(stack.mdm.logins).toBe(1);
  });

  it.each(commands.map(({ name, example }) => [name, example.input] as const))(
    'the ElastiCache user may run %s',
    async (name, input) => {
      const failure = await lambda.invoke(name, input).then(
        () => undefined,
        (error: InvocationFailure) => error.errorMessage,
      );

      expect(failure ?? '').not.toMatch(/NOPERM|permission/i); // the example may name what is not there
    },
    30_000,
  );
});
