import { beforeEach, expect, it } from '@jest/globals';
import type { EntryStatusReport } from '#lib/contract/parameters/entry-status.ts';
import { startLambdaEndpoint } from '#sandbox/aws/lambda-endpoint.ts';
import { startRedisServer } from '#sandbox/redis/redis-server.ts';
import { startSecretsManager } from '#sandbox/aws/secrets-manager.ts';
import { createDocumentedUser } from '#test/support/redis/documented-user.ts';
import { startContainer } from '#test/support/aws/container.ts';
import { use } from '#test/support/jest/use.ts';

/* What became of entries, as an operator asks for them with the user that only reads. */

const server = await use(startRedisServer());
await createDocumentedUser(server, 'watcher', 'secret');
const endpoint = await use(startLambdaEndpoint());
const ingest = { stream: 'orders', shards: 2, group: 'mdm', wake: false };
const secrets = await use(
  startSecretsManager({
    'test/default': { redis: { url: server.url }, ingest },
    'test/watcher': { redis: { url: server.url.replace('//', '//watcher:secret@') }, ingest },
  }),
);
const lambda = await use(startContainer(secrets, { AWS_ENDPOINT_URL_LAMBDA: endpoint.url }));

beforeEach(() => server.command('FLUSHALL'));

const add = (shard: number, key: string, id = '*') =>
  server.command('XADD', `orders:${shard}`, id, 'k', key) as Promise<string>;
const consume = (more: object = {}) =>
  lambda.invoke('stream-consumer', {
    stream: 'orders',
    shards: 2,
    group: 'mdm',
    target: 'target',
    keyField: 'k',
    backoffMs: 60_000,
    ...more,
  });
const find = (ids: readonly string[], more: object = {}) =>
  lambda.invoke<EntryStatusReport>('stream-entry-status', { configRef: 'watcher', ids, ...more });

it('stream-entry-status finds entries in any shard, in the order given', async () => {
  endpoint.respond = ({ entry }) => (entry.k === 'failing' ? { functionError: { errorType: 'Broken' } } : {});
  const done = await add(0, 'good', '10-1');
  const failing = await add(1, 'failing', '10-2');
  const behind = await add(1, 'failing', '10-3');
  await consume();
  const unread = await add(0, 'later', '10-4');
  const { entries, complete } = await find([unread, failing, behind, done, '5-5']);

  expect(complete).toBe(true);
  expect(entries.map(({ id, stream, state, attempts }) => [id, stream, state, attempts])).toEqual([
    [unread, 'orders:0', 'unread', 0],
    [failing, 'orders:1', 'pending', 1],
    [behind, 'orders:1', 'pending', 0],
    [done, 'orders:0', 'done', 0],
    ['5-5', null, 'unknown', 0],
  ]);
  expect(entries[1]).toMatchObject({ lastFailure: { type: 'Broken', detail: 'The function failed' }, letterId: null });
  expect(Date.parse(entries[1]!.nextTryAt!)).toBeGreaterThan(Date.now());
  expect(entries[2]).toMatchObject({ lastFailure: null, nextTryAt: null });
});

it('stream-entry-status shows, of two entries with the same id, the one that needs more attention', async () => {
  endpoint.respond = ({ entry }) => (entry.k === 'failing' ? { functionError: { errorType: 'Broken' } } : {});
  for (const [shard, key] of ['good', 'failing'].entries()) await add(shard, key, '10-1');
  for (const [shard, key] of ['failing', 'good'].entries()) await add(shard, key, '10-2');
  await consume();

  const { entries } = await find(['10-1', '10-2']);

  expect(entries.map(({ stream, state }) => [stream, state])).toEqual([
    ['orders:1', 'pending'],
    ['orders:0', 'pending'],
  ]);
  const [alone] = (await find(['10-1'], { stream: 'orders:0' })).entries;
  expect(alone).toMatchObject({ stream: 'orders:0', state: 'done' });
});

it("stream-entry-status finds an entry's dead letter, and why it was given up", async () => {
  endpoint.respond = () => ({ functionError: { errorType: 'Broken' } });
  const buriedId = await add(0, 'a');
  await consume({ maxDeliveries: 1 });
  const [[letterId]] = (await server.command('XRANGE', '{orders:0}:dead:mdm', '-', '+')) as [[string]];
  const [entry] = (await find([buriedId])).entries;

  expect(entry).toMatchObject({ state: 'dead-letter', stream: 'orders:0', attempts: 1, letterId });
  expect(entry!.lastFailure!.type).toBe('Broken');
  expect(Math.abs(Date.parse(entry!.lastFailure!.at) - Date.now())).toBeLessThan(60_000);
});

it('stream-entry-status ignores the dead letter of another group', async () => {
  const id = await add(0, 'a');
  await server.command(
    'XADD',
    '{orders:0}:dead:mdm',
    '*',
    'dl-source-id',
    id,
    'dl-group',
    'audit',
    'dl-stream',
    'orders:0',
  );

  expect((await find([id])).entries[0]).toMatchObject({ state: 'unread', letterId: null });
});

it('stream-entry-status reports unknown for a missing stream or group', async () => {
  expect(await find(['1-1', '7'])).toEqual({
    entries: ['1-1', '7-0'].map((id) => ({
      id,
      stream: null,
      state: 'unknown',
      attempts: 0,
      nextTryAt: null,
      lastFailure: null,
      letterId: null,
    })),
    complete: true,
  });
});

it('stream-entry-status says if too many letters kept its search from being complete', async () => {
  const id = await add(0, 'a');
  await server.command('XGROUP', 'CREATE', 'orders:0', 'mdm', '$');
  const fill = `for at = 1, 10500 do redis.call('XADD', KEYS[1], '*', 'dl-source-id', 'x') end return 1`;
  await server.command('EVAL', fill, '1', '{orders:0}:dead:mdm');
  const { entries, complete } = await find([id]);

  expect([entries[0]!.state, complete]).toEqual(['done', false]);
});
