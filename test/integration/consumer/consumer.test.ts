import { beforeEach, describe, expect, it } from '@jest/globals';
import { deadLetterStreamOf } from '#lib/consumer/redis-keys.ts';
import type { Report } from '#lib/consumer/report.ts';
import { startLambdaEndpoint, type LambdaResponse } from '#sandbox/aws/lambda-endpoint.ts';
import { startRedisServer } from '#sandbox/redis/redis-server.ts';
import { startSandboxMdm } from '#sandbox/mdm/index.ts';
import { startSecretsManager } from '#sandbox/aws/secrets-manager.ts';
import { use } from '../../support/jest/use.ts';
import { startContainer } from '../../support/aws/container.ts';

let stream: string;
let number = 0;

const server = await use(startRedisServer());
const mdm = await use(startSandboxMdm());
const endpoint = await use(startLambdaEndpoint());
const refused = { ...mdm.secret, auth: { ...mdm.secret.auth, password: 'wrong' } };
const secrets = await use(
  startSecretsManager({
    'test/default': { redis: { url: server.url }, mdm: mdm.secret },
    'test/refused': { redis: { url: server.url }, mdm: refused },
  }),
);
const lambda = await use(
  startContainer(secrets, { AWS_ENDPOINT_URL_LAMBDA: endpoint.url, LAMBDA_FUNCTION_PREFIX: 'app-test-' }),
);
beforeEach(() => {
  stream = `packaged-${++number}:0`;
  endpoint.invocations.length = 0;
  endpoint.respond = () => ({});
});

const add = (fields: Record<string, string>) => server.command('XADD', stream, '*', ...Object.entries(fields).flat());
const consume = (parameters: object = {}) =>
  lambda.invoke<Report>('stream-consumer', { stream, group: 'mdm', ...parameters }, { timeoutMs: 60_000 });
const deadLetters = async () => {
  const letters = (await server.command('XRANGE', deadLetterStreamOf(stream, 'mdm'), '-', '+')) as [string, string[]][];
  return letters.map(([, fields]) => fields.join(' '));
};
const city = (sourcePKey: string, record: string) => {
  return { businessEntity: 'c360.city', sourceSystem: 'geonames', sourcePKey, record };
};

describe('the packaged consumer', () => {
  it('the packaged consumer carries source records into the MDM, and dead-letters invalid ones', async () => {
    await add(city('consumer-1', '{"name":"Bonn","country":{"Code":"DE"},"population":313125}'));
    await add(city('consumer-2', '{"name":'));
    await add({ note: 'no record at all' });
    await add(city('consumer-3', '{"population":"many"}'));

    const report = await consume();

    expect(report).toMatchObject({ read: 4, processed: 1, deadLettered: 3, pending: 0, stoppedBecause: 'drained' });
    const letters = (await deadLetters()).join('\n');
    expect(letters).toMatch(/record must be JSON/);
    expect(letters).toMatch(/record is required/);
    expect(letters).toMatch(/answered 400/);
  });

  it('a run reports failed calls, and each refused login once, in the metrics that alarms watch', async () => {
    for (const key of ['login-1', 'login-2', 'login-3']) await add(city(key, '{"name":"Bonn"}'));
    const from = lambda.log.length;

    await consume({ configRef: 'refused', backoffMs: 20_000 });

    const lines = lambda.log.slice(from).map((line) => JSON.parse(line) as Record<string, unknown>);
    const failed = { deployment: 'app-test', type: 'MDM:CLIENT_ERROR', failures: 3 };
    expect(lines.filter(({ failures }) => failures !== undefined)).toMatchObject([failed]);
    expect(lines.filter(({ refusedLogins }) => refusedLogins !== undefined)).toMatchObject([{ refusedLogins: 1 }]);
  });

  it('a run writes one line in the embedded metric format, and one per failed entry without its values', async () => {
    await add(city('secret-key-4711', '{"name":'));
    const from = lambda.log.length;

    await consume();

    const lines = lambda.log.slice(from).map((line) => JSON.parse(line) as Record<string, unknown>);
    const runs = lines.filter(({ message }) => message === 'run');
    expect(runs).toEqual([
      expect.objectContaining({ stream, group: 'mdm', deadLettered: 1, deadLetters: 1, length: 1, pending: 0, lag: 0 }),
    ]);
    const { CloudWatchMetrics } = runs[0]!._aws as { CloudWatchMetrics: { Metrics: { Name: string }[] }[] };
    const names = CloudWatchMetrics[0]!.Metrics.map(({ Name }) => Name);
    expect(names).toEqual(
      expect.arrayContaining([
        'processed',
        'failed',
        'deadLettered',
        'recovered',
        'lag',
        'pending',
        'oldestPendingMs',
        'runMs',
      ]),
    );
    for (const name of names) expect(runs[0]).toHaveProperty(name, expect.any(Number));
    expect(lines.filter(({ message }) => message === 'entry given up')).toHaveLength(1);
    expect(lambda.log.slice(from).join('\n')).not.toContain('secret-key-4711');
  });
});

describe('a Lambda target', () => {
  const target = 'arn:aws:lambda:eu-central-1:123456789012:function:orders';

  it('a Lambda target is given each entry of a shard in order, one at a time', async () => {
    for (let n = 1; n <= 5; n++) await add({ n: String(n), 7: 'seven', a: '' });

    const report = await consume({ target, concurrency: 10 });

    expect(report.processed).toBe(5);
    expect(endpoint.invocations.map(({ payload }) => payload.entry.n)).toEqual(['1', '2', '3', '4', '5']);
    expect(endpoint.invocations[0]).toMatchObject({ name: target, payload: { stream, entry: { 7: 'seven', a: '' } } });
  });

  it.each<[string, LambdaResponse, Partial<Report>]>([
    ['counts what the function throws', { functionError: { errorType: 'TypeError' } }, { deadLettered: 1, pending: 0 }],
    [
      'counts a function that ran out of time, so that its entry does not block the shard for ever',
      { functionError: { errorType: 'Sandbox.Timedout', errorMessage: 'Task timed out after 3.00 seconds' } },
      { deadLettered: 1, pending: 0 },
    ],
    ['never counts a throttle', { status: 429, error: 'TooManyRequestsException' }, { deadLettered: 0, pending: 1 }],
    ['never counts a service fault', { status: 500, error: 'ServiceException' }, { deadLettered: 0, pending: 1 }],
    [
      'never counts a missing function',
      { status: 404, error: 'ResourceNotFoundException' },
      { deadLettered: 0, pending: 1 },
    ],
  ])('maxDeliveries %s', async (_, response, expected) => {
    await add({ n: '1' });
    endpoint.respond = () => response;

    expect(await consume({ target: 'orders', maxDeliveries: 1, backoffMs: 60_000 })).toMatchObject(expected);
  });
});
