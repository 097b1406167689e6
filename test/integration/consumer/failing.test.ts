import { beforeEach, describe, expect, it } from '@jest/globals';
import { describeCause } from '#lib/contract/causes.ts';
import type { CheckReport } from '#lib/contract/parameters/check.ts';
import type { GroupStatus } from '#lib/contract/parameters/status.ts';
import type { Report } from '#lib/consumer/report.ts';
import { stateKeyOf } from '#lib/consumer/redis-keys.ts';
import { startLambda } from '#sandbox/aws/lambda.ts';
import { startLambdaEndpoint, type LambdaResponse } from '#sandbox/aws/lambda-endpoint.ts';
import { startRedisServer } from '#sandbox/redis/redis-server.ts';
import { startSecretsManager } from '#sandbox/aws/secrets-manager.ts';
import { use } from '../../support/jest/use.ts';

/* What an operator sees of a consumer whose target fails: in the run's output, in stream-status and in the log. */

const server = await use(startRedisServer());
const endpoint = await use(startLambdaEndpoint());
const secrets = await use(startSecretsManager({ 'test/default': { redis: { url: server.url } } }));
const lambda = await use(
  startLambda({
    env: {
      CONNECTOR_SECRET_PREFIX: 'test/',
      AWS_ENDPOINT_URL_SECRETS_MANAGER: secrets.url,
      AWS_ENDPOINT_URL_LAMBDA: endpoint.url,
    },
  }),
);
const MISSING: LambdaResponse = { status: 404, error: 'ResourceNotFoundException' };
const DENIED: LambdaResponse = { status: 403, error: 'AccessDeniedException' };
/** Longer than a run waits for an entry that is due. */
const backoffMs = 6000;
const group = 'mdm';
let stream: string;
let number = 0;

beforeEach(() => {
  stream = `failing-${++number}:0`;
  lambda.log.length = 0;
});

const add = (key: string) => server.command('XADD', stream, '*', 'k', key) as Promise<string>;
const consume = (more: object = {}) =>
  lambda.invoke<Report>(
    'stream-consumer',
    { stream, group, target: 'orders', keyField: 'k', backoffMs, ...more },
    { timeoutMs: 10_000 },
  );
const status = async () => (await lambda.invoke<GroupStatus[]>('stream-status', { stream, group }))[0]!;
/** The entries that have failed are due now. */
async function makeDue(): Promise<void> {
  const state = stateKeyOf(stream, group);
  const fields = (await server.command('HGETALL', state)) as string[];
  for (let index = 0; index < fields.length; index += 2) {
    if (!fields[index]!.startsWith('e:')) continue;
    const [entryFailures, targetFailures, , ...more] = fields[index + 1]!.split(',');
    await server.command('HSET', state, fields[index]!, [entryFailures, targetFailures, 0, ...more].join(','));
  }
  await server.command('DEL', `{${stream}}:rest:${group}`);
}

describe('a consumer whose target fails', () => {
  it.each([
    ['does not exist', MISSING, 'LAMBDA:ResourceNotFoundException', 'target-missing', /^There is no function orders: /],
    [
      'is denied',
      DENIED,
      'LAMBDA:AccessDeniedException',
      'target-denied',
      /^The role of the consumer lacks lambda:InvokeFunction on orders/,
    ],
  ] as const)(
    'a consumer is reported as failing if its Lambda %s, with the cause',
    async (_, refusal, type, cause, detail) => {
      endpoint.respond = () => refusal;
      await add('a');
      const startedAt = Date.now();
      const report = await consume();
      const row = await status();

      expect(report).toMatchObject({ processed: 0, failed: 1, pending: 1, stoppedBecause: 'failing' });
      expect(report.lastFailure).toMatchObject({ type, target: 'orders', entries: 1 });
      expect(report.lastFailure!.detail).toMatch(detail);
      expect(report.lastFailure!.detail).toBe(describeCause(cause, { name: 'orders' }).detail);
      expect(Date.parse(report.lastFailure!.at)).toBeGreaterThanOrEqual(startedAt);
      expect(row.lastFailure).toEqual(report.lastFailure);
      const { checks } = (await lambda.post('/stream/check', { stream, group })).json as CheckReport;
      const check = checks.find(({ name }) => name === 'last-failure');
      expect(check).toMatchObject({
        status: 'warning',
        detail: expect.stringContaining('1 entry waits; orders failed at'),
      });
      expect(Date.parse(row.nextTryAt!) - startedAt).toBeGreaterThanOrEqual(backoffMs);
      expect(lambda.log.join('\n')).toContain('"message":"entry failed"');
      expect(lambda.log.join('\n')).toContain('"target":"orders"');
    },
  );

  it('a failing consumer is still reported as failing by later runs that find nothing due', async () => {
    endpoint.respond = () => MISSING;
    await add('a');
    const first = await consume();
    const second = await consume();

    expect(second).toMatchObject({ failed: 0, stoppedBecause: 'failing', lastFailure: first.lastFailure });
  });

  it('a failing consumer is reported as healthy again once its entries succeed', async () => {
    endpoint.respond = () => MISSING;
    await add('a');
    await consume();
    endpoint.respond = () => ({});
    await makeDue();
    const report = await consume();
    const row = await status();

    expect(report).toMatchObject({ processed: 1, pending: 0, stoppedBecause: 'drained' });
    expect(report).not.toHaveProperty('lastFailure');
    expect(row).toMatchObject({ lastFailure: null, nextTryAt: null });
  });

  it('the status shows the newest unresolved failure, and how many entries wait', async () => {
    const failing = new Map<string, LambdaResponse>([
      ['a', { functionError: { errorType: 'Old' } }],
      ['b', { functionError: { errorType: 'New' } }],
    ]);
    endpoint.respond = ({ entry }) => failing.get(entry.k!) ?? {};
    await add('a');
    await consume();
    await add('b');
    await add('c');
    const both = await consume();
    failing.delete('b');
    await makeDue();
    const onlyOld = await consume();

    expect(both).toMatchObject({ stoppedBecause: 'drained', lastFailure: { type: 'New', entries: 2 } }); // c succeeded
    expect(onlyOld).toMatchObject({ lastFailure: { type: 'Old', entries: 1 } });
  });

  it('a failure is forgotten once its entry is dead-lettered', async () => {
    endpoint.respond = () => ({ functionError: { errorType: 'Broken' } });
    await add('a');
    const report = await consume({ maxDeliveries: 1 });

    expect(report).toMatchObject({ deadLettered: 1, pending: 0, stoppedBecause: 'drained' });
    expect(report).not.toHaveProperty('lastFailure');
  });

  it('a group remembers a bounded number of causes', async () => {
    endpoint.respond = ({ entry }) => ({ functionError: { errorType: `Cause${entry.k}` } });
    for (let key = 0; key < 200; key++) await add(`${key}`);
    const report = await consume({ concurrency: 200, batchSize: 200, maxDeliveries: 1000 });
    const fields = (await server.command('HKEYS', stateKeyOf(stream, group))) as string[];

    expect(fields.filter((name) => name.startsWith('f:')).length).toBeLessThanOrEqual(64);
    expect(report.lastFailure).toMatchObject({ type: expect.stringMatching(/^Cause\d+$/), target: 'orders' });
    expect(report.lastFailure!.entries).toBeGreaterThan(64);
  });
});
