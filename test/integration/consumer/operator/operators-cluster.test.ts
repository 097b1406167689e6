import { expect, it } from '@jest/globals';
import { slotOf } from '../../../../lib/redis/slot.ts';
import type { GroupStatus } from '../../../../lib/contract/parameters/status.ts';
import { startLambdaEndpoint } from '../../../../sandbox/aws/lambda-endpoint.ts';
import { startSecretsManager } from '../../../../sandbox/aws/secrets-manager.ts';
import { startRedisCluster } from '../../../support/redis/redis-cluster.ts';
import { use } from '../../../support/jest/use.ts';
import { startContainer } from '../../../support/aws/container.ts';

const SHARDS = 16;

const cluster = await use(startRedisCluster());
const endpoint = await use(startLambdaEndpoint());
const redis = { mode: 'cluster', nodes: cluster.nodes };
const secrets = await use(startSecretsManager({ 'test/default': { redis, ingest: { shards: SHARDS } } }));
const lambda = await use(
  startContainer(secrets, { AWS_ENDPOINT_URL_LAMBDA: endpoint.url, CONNECTOR_CONSUMER_FUNCTION: 'consumer' }),
);

const of = { businessEntity: 'c360.city', sourceSystem: 'geonames' };
const enqueue = (count: number) =>
  lambda.invoke<{ ids: { stream: string; id: string }[] }>('mdm-source-enqueue-batch', {
    ...of,
    records: Array.from({ length: count }, (_, at) => ({ sourcePKey: `k${at}`, record: { name: 'Bonn' } })),
  });
const status = () => lambda.invoke<GroupStatus[]>('stream-status', {});

it('spreads a batch over shards on all nodes, shows them, and wakes the consumer once', async () => {
  const { ids } = await enqueue(500);

  const rows = await status();

  expect(ids).toHaveLength(500);
  expect(rows).toHaveLength(SHARDS);
  expect(rows.reduce((sum, { length }) => sum + length, 0)).toBe(500);
  expect(new Set(rows.map(({ stream }) => Math.floor(slotOf(stream) / 5462))).size).toBe(3);
  expect(endpoint.invocations).toHaveLength(1);
});

it('pauses shards on all nodes, and lets them go on', async () => {
  await lambda.invoke('stream-pause', { forMs: 60_000 });
  const paused = await status();
  await lambda.invoke('stream-pause', { resume: true });

  expect(new Set(paused.map(({ run }) => run))).toEqual(new Set(['paused']));
  expect(new Set((await status()).map(({ run }) => run))).toEqual(new Set(['idle']));
});

it('puts letters back in the slot of their stream, but for those that are superseded', async () => {
  const [stream, dead] = ['letters:0', '{letters:0}:dead:mdm'];
  const bury = (sourcePKey: string) =>
    lambda.invoke('stream-xadd', {
      key: dead,
      entry: { ...of, sourcePKey, record: '{}', 'dl-stream': stream, 'dl-group': 'mdm', 'dl-source-id': '5-0' },
    });
  await bury('old');
  await bury('alone');
  await lambda.invoke('stream-xadd', { key: stream, entry: { ...of, sourcePKey: 'old', record: '{}' } });

  const report = await lambda.invoke<object>('stream-redrive', { stream, group: 'mdm' });

  expect(report).toMatchObject({ redriven: 1, superseded: 1, remaining: 1 });
});
