import { encodeBatch, enqueueBatch } from '#lib/consumer/producer/enqueue.ts';
import { shardOf } from '#lib/consumer/producer/source-change-entry.ts';
import { writeAndWake } from '#lib/consumer/producer/wake.ts';
import { endpoint, type Implementation } from '#lib/endpoint/endpoint.ts';
import { openMdm } from '#lib/mdm/client/client.ts';
import { refuseUnnamedTime, timesOf } from '#lib/mdm/records/source-time.ts';
import { openRedis } from '#lib/redis/connections.ts';
import type { Redis } from '#lib/redis/redis.ts';
import { sourceEnqueueBatch } from './contract.ts';

export const run: Implementation<typeof sourceEnqueueBatch, Redis> = async (parameters, redis, invocation) => {
  const { businessEntity, sourceSystem, records, idempotencyKey, validate } = parameters;
  const sources = records.map((one) => ({ businessEntity, sourceSystem, ...one, resolveCrosswalk: false }));
  const encoded = encodeBatch(sources);
  const { ingest, mdm } = await invocation.config();
  refuseUnnamedTime(mdm, timesOf(records));
  const entries = encoded.map((fields, index) => ({
    stream: shardOf(sources[index]!, ingest.stream, ingest.shards),
    fields,
  }));
  const streams = [...new Set(entries.map(({ stream }) => stream))];
  invocation.checkKeys('/stream', streams);
  if (validate) {
    const { validateRecords } = await import('#lib/mdm/metadata/record-validation.ts'); // 30 kB, on demand
    await validateRecords(await openMdm(invocation), businessEntity, records);
  }
  const add = () => enqueueBatch(redis, entries, { ...ingest, idempotencyKey });
  return { ids: await writeAndWake(redis, { streams, ingest, invocation }, add) };
};

export const handler = endpoint(sourceEnqueueBatch, openRedis, run);
