import { readStatus } from '../../../lib/consumer/operator/status.ts';
import { scopeOf } from '../../../lib/consumer/scope.ts';
import { endpoint, type Run } from '../../../lib/endpoint/endpoint.ts';
import { commandClient } from '../../../lib/redis/connections.ts';
import type { Redis } from '../../../lib/redis/redis.ts';
import { readConfig } from '../../../lib/runtime/config.ts';
import { status } from './contract.ts';

export const run: Run<typeof status, Redis> = async (parameters, redis, { configRef, connector, deadline }) => {
  const { ingest } = await readConfig(configRef, connector, deadline);
  const isOfSecret = parameters.stream === undefined;
  const deadLetterStream = parameters.deadLetterStream ?? (isOfSecret ? ingest.consumer.deadLetterStream : undefined);
  return readStatus(redis, { ...scopeOf(parameters, ingest), deadLetterStream });
};

export const handler = endpoint(status, commandClient, run);
