import { readEntryStatus } from '#lib/consumer/operator/entry-status.ts';
import { scopeOf } from '#lib/consumer/scope.ts';
import { endpoint, type Implementation } from '#lib/endpoint/endpoint.ts';
import { openRedis } from '#lib/redis/connections.ts';
import type { Redis } from '#lib/redis/redis.ts';
import { entryStatus } from './contract.ts';

export const run: Implementation<typeof entryStatus, Redis> = async ({ ids, ...parameters }, redis, invocation) => {
  const { ingest } = await invocation.config();
  const { group = ingest.group, ...scope } = scopeOf(parameters, ingest);
  invocation.checkKeys('/stream', scope.streams);
  return readEntryStatus(redis, { ...scope, group, ids });
};

export const handler = endpoint(entryStatus, openRedis, run);
