import { describe, expect, it } from '@jest/globals';
import { httpEvent } from '#sandbox/aws/http-event.ts';
import { startLambda } from '#sandbox/aws/lambda.ts';
import { startRedisServer } from '#sandbox/redis/redis-server.ts';
import { startMdmStack } from '../../support/mdm/mdm-sandbox.ts';
import { use } from '../../support/jest/use.ts';

/*
 * The audit trail: one line for each call that changed something or may have, at every log level, from the packaged
 * functions.
 */

const KEY_OF_RECORD = 'customer-4711';
const VALUE = 'Rosebud';
const source = { businessEntity: 'c360.city', sourceSystem: 'geonames', sourcePKey: KEY_OF_RECORD };
const record = { name: VALUE, country: { Code: 'DE' } };

const redis = await use(startRedisServer());
const stack = await use(startMdmStack());
stack.secrets.set('test/default', { mdm: stack.mdm.secret, redis: { url: redis.url }, ingest: { wake: false } });
const env = {
  CONNECTOR_SECRET_PREFIX: 'test/',
  AWS_ENDPOINT_URL_SECRETS_MANAGER: stack.secrets.url,
  LOG_LEVEL: 'error',
};
const lambda = await use(startLambda({ env }));

/** The audit lines that a call writes. */
async function linesOf(call: () => Promise<unknown>): Promise<Record<string, unknown>[]> {
  const before = lambda.log.length;
  await call();
  const lines = lambda.log.slice(before).map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(JSON.stringify(lines)).not.toMatch(new RegExp(`${KEY_OF_RECORD}|${VALUE}`));
  return lines.filter(({ message }) => message === 'changed');
}
const invoke = (name: string, parameters: object) => linesOf(() => lambda.invoke(name, parameters));

describe('the audit trail', () => {
  it('the audit trail says which operation changed which stream, with the ids that find the call', async () => {
    expect(await invoke('stream-xadd', { key: 'orders', entry: { sku: VALUE } })).toEqual([
      expect.objectContaining({
        operation: 'stream-xadd',
        configRef: 'default',
        stream: 'orders',
        requestId: expect.any(String),
        correlationId: expect.any(String),
      }),
    ]);
    const watermarks = { streamWatermarks: [{ key: 'orders', id: '>' }], group: 'g', consumer: 'c' };
    await lambda.invoke('stream-xgroup-create', { key: 'orders', group: 'g', mkstream: true });
    expect(await invoke('stream-xreadgroup', watermarks)).toMatchObject([{ streams: ['orders'] }]);
  });

  it('the audit trail names the entity of a record, but neither its key nor a value', async () => {
    expect(await invoke('mdm-source-submit', { ...source, record })).toMatchObject([
      { operation: 'mdm-source-submit', businessEntity: 'c360.city' },
    ]);
    const path = `/business-entity/public/api/v1/entity/c360.city/geonames/${KEY_OF_RECORD}`;
    expect(await invoke('mdm-http-request', { method: 'GET', path })).toMatchObject([{ method: 'GET' }]);
  });

  it('the audit trail has one line per run of the consumer, however many entries it carries', async () => {
    for (let n = 0; n < 3; n++) await lambda.invoke('mdm-source-enqueue', { ...source, record });

    const run = { stream: 'source-submit', group: 'mdm' };
    expect(await invoke('stream-consumer', run)).toMatchObject([
      { operation: 'stream-consumer', stream: 'source-submit' },
    ]);
  });

  it('the audit trail has no line for a call that reads or is refused', async () => {
    expect(await invoke('stream-xrange', { key: 'orders', start: '-', end: '+' })).toEqual([]);
    expect(await linesOf(() => lambda.post('/stream/xadd', { key: 'orders', entry: {} }))).toEqual([]);
    expect(await linesOf(() => lambda.post('/stream/xtrim', { key: 'orders' }))).toEqual([]);
  });

  it('the audit trail logs a change as unknown if its response is lost, with caller and entity', async () => {
    stack.mdm.misbehave({ path: '/business-entity', method: 'POST', after: true, reset: true });
    const lost = { ...source, record, sourcePKey: undefined };

    expect(await linesOf(() => lambda.post('/mdm/source-submit', lost))).toMatchObject([
      {
        operation: 'mdm-source-submit',
        changed: 'unknown',
        configRef: 'default',
        businessEntity: 'c360.city',
        caller: expect.stringMatching(/^arn:/),
      },
    ]);
    stack.mdm.misbehave({ path: '/business-entity', status: 429 });
    expect(await linesOf(() => lambda.post('/mdm/source-submit', lost))).toEqual([]);
  });

  it("the audit trail says who called over HTTP: the signing ARN, or the token's subject", async () => {
    const headers = { 'x-correlation-id': 'order-17' };
    const signed = httpEvent('POST', '/stream/xadd', '{"key":"orders","entry":{"sku":"1"}}', headers);
    const calledBy = (authorizer?: object) => ({
      ...signed,
      requestContext: { ...signed.requestContext, authorizer },
    });

    expect(await invoke('stream-xadd', signed)).toMatchObject([
      { caller: 'arn:aws:iam::123456789012:user/integration', correlationId: 'order-17' },
    ]);
    expect(await invoke('stream-xadd', calledBy({ jwt: { claims: { sub: 'user-1' } } }))).toMatchObject([
      { caller: 'user-1' },
    ]);
    for (const authorizer of [undefined, { lambda: { user: 'user-1' } }, { jwt: { claims: { sub: 7 } } }]) {
      const [line] = await invoke('stream-xadd', calledBy(authorizer));
      expect(line).toMatchObject({ changed: true });
      expect(line).not.toHaveProperty('caller');
    }
  });
});
