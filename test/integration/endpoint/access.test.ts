import { describe, expect, it } from '@jest/globals';
import { registry } from '#functions/registry.ts';
import { startLambda } from '#sandbox/aws/lambda.ts';
import { startSecretsManager } from '#sandbox/aws/secrets-manager.ts';
import { use } from '../../support/jest/use.ts';

/*
 * What `access` in a secret allows, over all operations as packaged. Neither the MDM nor Redis runs: a call that is let
 * through cannot reach them (503; 504 where the machine takes too long for it), and one that is refused has not tried.
 */

const NOBODY = 'http://127.0.0.1:1';
const connections = {
  mdm: { auth: { type: 'session', sessionId: 's' }, baseUrl: NOBODY, timeoutMs: 50 },
  redis: { url: 'redis://127.0.0.1:1', commandTimeoutMs: 50 },
};
const ACCESS = {
  'read-only': { readOnly: true },
  'by-name': { operations: ['mdm-source-*', 'stream-xlen'] },
  'other-keys': { keys: ['elsewhere:*'] },
  'own-keys': { keys: ['orders', 'orders:*', 'source-submit:*', 'audit'] },
  'by-path': { httpPaths: ['/metadata/'] },
};

const secrets = await use(
  startSecretsManager(
    Object.fromEntries(Object.entries(ACCESS).map(([name, access]) => [`test/${name}`, { ...connections, access }])),
  ),
);
const env = { CONNECTOR_SECRET_PREFIX: 'test/', AWS_ENDPOINT_URL_SECRETS_MANAGER: secrets.url, LOG_LEVEL: 'error' };
const lambda = await use(startLambda({ env }));

async function call(name: string, input: object, configRef: keyof typeof ACCESS) {
  const response = await lambda.post(`/${name.replace('-', '/')}`, { ...input, configRef }, { timeoutMs: 3000 });
  const problem = response.json as { type: string; retryable: boolean; detail: string; errors: { pointer: string }[] };
  return { status: response.status, ...problem };
}

const examples = registry.map(({ name, example: { input }, readOnly, connector }) => {
  return { name, input, readOnly, refusal: connector === 'mdm' ? 'MDM:CLIENT_ERROR' : 'STREAM:COMMAND' };
});
/** Operations that touch streams: those of streams, and the two that enqueue. */
const touchesKeys = ({ name }: { name: string }) => /^stream-|^mdm-source-enqueue/.test(name);

describe('a configuration with access', () => {
  it.each(examples.filter(({ readOnly }) => !readOnly))(
    'access with readOnly refuses $name',
    async ({ name, input, refusal }) => {
      expect(await call(name, input, 'read-only')).toMatchObject({ status: 403, type: refusal, retryable: false });
    },
  );

  it.each(examples.filter(({ readOnly }) => readOnly))('access with readOnly allows $name', async ({ name, input }) => {
    expect((await call(name, input, 'read-only')).status).not.toBe(403);
  });

  it.each(examples)('access with operations allows $name by its name alone', async ({ name, input }) => {
    const isNamed = name.startsWith('mdm-source-') || name === 'stream-xlen';

    expect((await call(name, input, 'by-name')).status === 403).toBe(!isNamed);
  });

  it.each(examples)('access with keys refuses $name on other streams, and nothing else', async ({ name, input }) => {
    expect((await call(name, input, 'other-keys')).status === 403).toBe(touchesKeys({ name }));
  });

  it.each([
    [
      'stream-xread',
      {
        streamWatermarks: [
          { key: 'orders', id: '0' },
          { key: 'billing', id: '0' },
        ],
      },
      '/streamWatermarks/1/key',
    ],
    ['stream-consumer', { stream: 'billing', shards: 2 }, '/stream'],
    ['stream-consumer', { stream: 'orders', deadLetterStream: 'billing' }, '/deadLetterStream'],
    ['stream-redrive', { stream: 'billing', group: 'g' }, '/stream'],
    ['stream-status', { stream: 'billing' }, '/stream'],
    ['stream-pause', { stream: 'billing', group: 'g', resume: true }, '/stream'],
    ['stream-xrange', { key: '{billing}:dead:g', start: '-', end: '+' }, '/key'],
  ])('access with keys names the parameter of %s that is not allowed', async (name, input, pointer) => {
    const { status, errors } = await call(name, input, 'own-keys');

    expect([status, errors.map((fault) => fault.pointer)]).toEqual([403, [pointer]]);
  });

  it.each([
    ['stream-xadd', { key: 'orders', entry: { a: '1' } }],
    ['stream-xrange', { key: '{orders:1}:dead:g', start: '-', end: '+' }],
    ['stream-consumer', { stream: 'orders', shards: 2 }],
    ['stream-consumer', {}],
  ])('access with keys allows %s on allowed streams', async (name, input) => {
    expect((await call(name, input, 'own-keys')).status).toBeGreaterThanOrEqual(503);
  });

  it.each([
    ['/business-entity/public/api/v1/entity/c360.city/1', 403],
    ['/metadata/%2e%2e/business-entity', 400],
  ])('access with httpPaths answers a request of %s with %d', async (path, status) => {
    expect((await call('mdm-http-request', { method: 'GET', path }, 'by-path')).status).toBe(status);
  });

  it('access with httpPaths allows a request of an allowed path', async () => {
    const input = { method: 'GET', path: '/metadata/api/v2/objects' };

    expect((await call('mdm-http-request', input, 'by-path')).status).toBeGreaterThanOrEqual(503);
  });

  it('an invalid access part is refused with its pointer', async () => {
    secrets.set('test/wrong', { ...connections, access: { operations: [], keys: 'orders', readonly: true } });

    const { status, type, errors } = await call('stream-xlen', { key: 'orders' }, 'wrong' as never);

    expect([status, type]).toEqual([500, 'CONNECTOR:CONFIGURATION']);
    expect(errors.map(({ pointer }) => pointer).sort()).toEqual([
      '/access/keys',
      '/access/operations',
      '/access/readonly',
    ]);
  });
});
