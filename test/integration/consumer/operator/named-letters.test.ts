import { beforeEach, expect, it } from '@jest/globals';
import type { CheckReport } from '#lib/contract/parameters/check.ts';
import type { EntryStatusReport } from '#lib/contract/parameters/entry-status.ts';
import type { RedriveReport } from '#lib/contract/parameters/redrive.ts';
import type { GroupStatus } from '#lib/contract/parameters/status.ts';
import { startLambdaEndpoint } from '#sandbox/aws/lambda-endpoint.ts';
import { startRedisServer } from '#sandbox/redis/redis-server.ts';
import { startSecretsManager } from '#sandbox/aws/secrets-manager.ts';
import { startContainer } from '#test/support/aws/container.ts';
import { use } from '#test/support/jest/use.ts';

/* The secret lets all dead letters lie in one stream, and an operator asks about one of its shards. */

const server = await use(startRedisServer());
const endpoint = await use(startLambdaEndpoint());
const consumer = { target: 'target', keyField: 'k', maxDeliveries: 1, deadLetterStream: 'letters' };
const ingest = { stream: 'orders', shards: 2, group: 'mdm', wake: false, consumer };
const secrets = await use(startSecretsManager({ 'test/default': { redis: { url: server.url }, ingest } }));
const lambda = await use(startContainer(secrets, { AWS_ENDPOINT_URL_LAMBDA: endpoint.url }));

const SHARD = 'orders:0';
let id: string;

beforeEach(async () => {
  await server.command('FLUSHALL');
  endpoint.respond = () => ({ functionError: { errorType: 'Broken' } });
  id = (await server.command('XADD', SHARD, '*', 'k', 'one')) as string;
  await lambda.invoke('stream-consumer', {});
  expect(await server.command('XLEN', 'letters')).toBe(1);
});

it.each([
  ['without its shard', {}],
  ['of its shard', { stream: SHARD }],
])('stream-entry-status asked %s shows the letter of an entry', async (_, asked) => {
  const { entries } = await lambda.invoke<EntryStatusReport>('stream-entry-status', { ids: [id], ...asked });

  expect(entries).toMatchObject([{ id, stream: SHARD, state: 'dead-letter' }]);
});

it.each([
  ['a shard and its group', { stream: SHARD, group: 'mdm' }],
  ['a shard and all of its groups', { stream: SHARD }],
  ['more shards than the secret has', { stream: 'orders', shards: 3 }],
])('stream-status of %s counts the letters', async (_, asked) => {
  await server.command('XGROUP', 'CREATE', SHARD, 'other', '$');

  const rows = await lambda.invoke<GroupStatus[]>('stream-status', asked);

  expect(rows.map(({ group, deadLetters }) => [group, deadLetters])).toContainEqual([
    'mdm',
    [{ errorType: 'Broken', reason: expect.any(String), count: 1 }],
  ]);
});

it('stream-check of a shard counts the letters', async () => {
  const { checks } = await lambda.invoke<CheckReport>('stream-check', { stream: SHARD });

  expect(checks.at(-1)).toMatchObject({
    name: 'dead-letters',
    detail: expect.stringContaining('1; most often Broken'),
  });
});

it('stream-redrive puts the letters of a shard back', async () => {
  endpoint.respond = () => ({});

  const report = await lambda.invoke<RedriveReport>('stream-redrive', { stream: SHARD, group: 'mdm' });
  await lambda.invoke('stream-consumer', {});

  expect(report).toMatchObject({ redriven: 1, remaining: 0 });
  expect(await server.command('XPENDING', SHARD, 'mdm')).toEqual([0, null, null, null]);
});
