import { openMdm } from '#lib/mdm/client/client.ts';
import { refuseUnnamedTime } from '#lib/mdm/records/source-time.ts';
import { endpoint, type Implementation } from '#lib/endpoint/endpoint.ts';
import { openRedis } from '#lib/redis/connections.ts';
import type { Redis } from '#lib/redis/redis.ts';
import { addEntries } from '#lib/consumer/producer/enqueue.ts';
import { encodeChange, shardOf } from '#lib/consumer/producer/source-change-entry.ts';
import { writeAndWake } from '#lib/consumer/producer/wake.ts';
import { sourceEnqueue } from './contract.ts';

export const run: Implementation<typeof sourceEnqueue, Redis> = async (parameters, redis, invocation) => {
  const { businessEntity, idempotencyKey, validate } = parameters;
  const { ingest, mdm } = await invocation.config();
  refuseUnnamedTime(mdm, [{ time: parameters.sourceLastUpdated, pointer: '/sourceLastUpdated' }]);
  const { stream: base = ingest.stream } = parameters;
  const stream = shardOf(parameters, base, ingest.shards);
  invocation.checkKeys('/stream', [stream]);
  if (validate) {
    const { validateRecord } = await import('#lib/mdm/metadata/record-validation.ts'); // 30 kB, on demand
    await validateRecord(await openMdm(invocation), businessEntity, parameters);
  }
  const entry = encodeChange(parameters);
  const add = () => addEntries(redis, stream, [entry], { ...ingest, idempotencyKey });
  const isIngest = base === ingest.stream; // the consumer is woken for no other stream
  const [id] = await (isIngest ? writeAndWake(redis, { streams: [stream], ingest, invocation }, add) : add());
  return { stream, id: id! };
};

export const handler = endpoint(sourceEnqueue, openRedis, run);
