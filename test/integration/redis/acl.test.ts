import { expect, it } from '@jest/globals';
import { slotOf } from '#lib/redis/slot.ts';
import { startRedisServer, type RedisServer } from '#sandbox/redis/redis-server.ts';
import { startSecretsManager } from '#sandbox/aws/secrets-manager.ts';
import { callStream } from '../../support/stream/call-stream.ts';
import { streamCalls } from '../../support/stream/stream-calls.ts';
import { createDocumentedUser } from '../../support/redis/documented-user.ts';
import { startRedisCluster } from '../../support/redis/redis-cluster.ts';
import { use } from '../../support/jest/use.ts';
import { startContainer } from '../../support/aws/container.ts';

/*
 * The users of docs/redis.md, where the connection needs commands of its own: a database number, and a slot migration.
 */

const cluster = await use(startRedisCluster());
const server = await use(startRedisServer());
const nodes = cluster.nodes.map((node) => asUser(node, 'streams'));
const mdm = { auth: { type: 'session', sessionId: 'x' }, baseUrl: 'http://127.0.0.1:1' };
const database = (user: string) => ({
  redis: { url: `${asUser(server.url, user)}/3` },
  mdm,
  ingest: { shards: 1, wake: false },
});
const secrets = await use(
  startSecretsManager({
    'test/cluster': { redis: { mode: 'cluster', nodes } },
    ...Object.fromEntries(
      ['streams', 'consumer', 'watcher', 'producer', 'functions'].map((user) => [`test/${user}`, database(user)]),
    ),
  }),
);
const lambda = await use(startContainer(secrets));
for (const node of [...cluster.masters, cluster.replica, server]) {
  await createDocumentedUser(node, 'streams', 'secret');
}

function asUser(url: string, user: string): string {
  return url.replace(/\/\/(.*@)?/, `//${user}:secret@`);
}

const ORDER = ['xgroup-create', 'xadd', 'any other', 'xgroup-destroy'];
const turnOf = (operation: string) => ORDER.indexOf(ORDER.includes(operation) ? operation : 'any other');

const calls = streamCalls.toSorted((one, other) => turnOf(one.operation) - turnOf(other.operation));

/** What did not go as it should; what the server lacks is refused by name, and goes no further. */
async function failuresOf(configRef: string, key: string): Promise<object[]> {
  const failures = [];
  for (const { operation, input } of calls) {
    const parameters = JSON.parse(JSON.stringify(input).replaceAll('"orders"', `"${key}"`)) as object;
    const { status, error } = await callStream(lambda, 'HTTP', operation, { configRef, ...parameters });
    if (error && !/needs Redis 8\.\d or newer/.test(error.message)) failures.push({ operation, status, error });
  }
  return failures;
}

/** Begins to move the slot of a key from the first master to the second. */
async function migrate(key: string): Promise<void> {
  const [source, target] = cluster.masters as [RedisServer, RedisServer];
  const [sourceId, targetId] = (await Promise.all([
    source.command('CLUSTER', 'MYID'),
    target.command('CLUSTER', 'MYID'),
  ])) as [string, string];
  const slot = String(slotOf(key));
  await target.command('CLUSTER', 'SETSLOT', slot, 'IMPORTING', sourceId);
  await source.command('CLUSTER', 'SETSLOT', slot, 'MIGRATING', targetId);
}

const keysInSlot = (node: RedisServer, key: string) => node.command('CLUSTER', 'COUNTKEYSINSLOT', String(slotOf(key)));

/** A key of the first master. */
function keyOfFirst(name: string): string {
  for (let at = 0; ; at++) if (slotOf(`orders-${name}:${at}`) < 16_384 / 3 - 1) return `orders-${name}:${at}`;
}

it('the user of the stream commands needs no further rights in a slot that is migrating', async () => {
  const key = keyOfFirst('absent');
  await migrate(key);

  expect(await failuresOf('cluster', key)).toEqual([]);
  expect(await keysInSlot(cluster.masters[1]!, key)).toBe(1); // where the slot will be
  await cluster.masters[1]!.command('ACL', 'SETUSER', 'streams', '-asking');
  expect(await failuresOf('cluster', key)).not.toEqual([]); // so it was asked for
  await cluster.masters[1]!.command('ACL', 'SETUSER', 'streams', '+asking');
});

it("the check of rights reports no missing right for a stream still in its slot's old node", async () => {
  const key = keyOfFirst('staying');
  await callStream(lambda, 'HTTP', 'xadd', { configRef: 'cluster', key, id: '0-1', entry: { a: '1' } });
  await migrate(key);

  expect(await failuresOf('cluster', key)).toEqual([]);
  expect(await keysInSlot(cluster.masters[0]!, key)).toBe(1);
});

it('the check of rights reports no missing right for a stream that has moved while its slot migrates', async () => {
  const key = keyOfFirst('moved');
  await callStream(lambda, 'HTTP', 'xadd', { configRef: 'cluster', key, id: '0-1', entry: { a: '1' } });
  await migrate(key);
  const { port } = cluster.masters[1]!;
  const password = new URL(cluster.nodes[0]!).password;
  await cluster.masters[0]!.command('MIGRATE', '127.0.0.1', String(port), key, '0', '5000', 'AUTH', password);

  expect(await failuresOf('cluster', key)).toEqual([]);
  expect(await keysInSlot(cluster.masters[1]!, key)).toBe(1);
});

it('the user of the stream commands needs no further rights with a database number', async () => {
  expect(await failuresOf('streams', 'orders:1')).toEqual([]);
  expect(String(await server.command('INFO', 'keyspace'))).toMatch(/db3:keys=1,/);
});

it('the user of the stream commands may use no other keys', async () => {
  const statuses = (await failuresOf('streams', 'invoices')) as { status: number }[];

  expect(statuses.length).toBeGreaterThanOrEqual(calls.length - 2); // two of them this server may not know
  expect(new Set(statuses.map(({ status }) => status))).toEqual(new Set([502]));
});

it('the users for the consumer, its status and pause, and for enqueueing need no further rights', async () => {
  for (const user of ['consumer', 'watcher', 'producer', 'functions'])
    await createDocumentedUser(server, user, 'secret');
  await server.command('ACL', 'SETUSER', 'watcher', '+set', '+del', '~*:pause:g'); // as the page says of stream-pause
  const scope = { stream: 'source-submit', shards: 1, group: 'g' };
  const model = { businessEntity: 'c360.person', sourceSystem: 's' };
  const source = { ...model, sourcePKey: '1', record: {} };
  const run = { stream: 'source-submit:0', group: 'g' };

  for (const only of [true, false]) {
    const as = (user: string) => ({ configRef: only ? user : 'functions' });
    await lambda.invoke('mdm-source-enqueue', { ...as('producer'), ...source });
    const records = [{ sourcePKey: '2', record: {} }];
    await lambda.invoke('mdm-source-enqueue-batch', { ...as('producer'), ...model, records });
    const report = await lambda.invoke<object>('stream-consumer', { ...as('consumer'), ...run }, { timeoutMs: 3000 });
    expect(report).toMatchObject({ processed: 0, pending: only ? 2 : 4 });
    await lambda.invoke('stream-pause', { ...as('watcher'), ...scope, forMs: 1000 });
    await lambda.invoke('stream-pause', { ...as('watcher'), ...scope, resume: true });
    await lambda.invoke('stream-status', { ...as('watcher'), ...scope });
    await lambda.invoke('stream-redrive', { ...as('consumer'), ...run });
  }
  expect(String(await server.command('INFO', 'keyspace'))).not.toContain('db0:');
});
