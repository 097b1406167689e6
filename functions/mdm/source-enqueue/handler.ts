import { readConfig } from '../../../lib/runtime/config.ts';
import { mdmClient } from '../../../lib/mdm/client.ts';
import { endpoint, type Run } from '../../../lib/endpoint/endpoint.ts';
import { commandClient } from '../../../lib/redis/connections.ts';
import type { Redis } from '../../../lib/redis/redis.ts';
import { xaddCommand } from '../../../lib/stream/commands/xadd.ts';
import { encodeSourceRecord, shardOf } from '../../../lib/consumer/source-record-entry.ts';
import { sourceEnqueue } from './contract.ts';

export const run: Run<typeof sourceEnqueue, Redis> = async (parameters, redis, invocation) => {
  const { businessEntity, validate } = parameters;
  if (validate) {
    const { validateRecord } = await import('../../../lib/mdm/record-validation.ts'); // 30 kB, on demand
    await validateRecord(await mdmClient(invocation), businessEntity, parameters);
  }
  const { ingest } = await readConfig(invocation.configRef, invocation.connector);
  const stream = shardOf(parameters, parameters.stream ?? ingest.stream, ingest.shards);
  const id = await redis.send(xaddCommand({ key: stream, entry: encodeSourceRecord(parameters) }));
  return { stream, id: id! }; // only NOMKSTREAM makes it null
};

export const handler = endpoint(sourceEnqueue, commandClient, run);
