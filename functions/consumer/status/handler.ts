import { readStatus } from '#lib/consumer/operator/status.ts';
import { scopeOf } from '#lib/consumer/scope.ts';
import { endpoint, type Implementation } from '#lib/endpoint/endpoint.ts';
import { openRedis } from '#lib/redis/connections.ts';
import type { Redis } from '#lib/redis/redis.ts';
import { status } from './contract.ts';

export const run: Implementation<typeof status, Redis> = async (parameters, redis, invocation) => {
  const { ingest } = await invocation.config();
  const scope = scopeOf(parameters, ingest);
  invocation.checkKeys('/stream', scope.streams);
  const { deadLetterStream } = parameters;
  const namedLetters = deadLetterStream === undefined ? scope.namedLetters : () => deadLetterStream;
  return readStatus(redis, { ...scope, namedLetters, log: invocation.log });
};

export const handler = endpoint(status, openRedis, run);
