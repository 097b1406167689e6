import { endpoint, type Implementation } from '#lib/endpoint/endpoint.ts';
import { openRedis } from '#lib/redis/connections.ts';
import type { Redis } from '#lib/redis/redis.ts';
import { readById } from '#lib/stream/read-by-id.ts';
import { xrange } from './contract.ts';

export const run: Implementation<typeof xrange, Redis> = (parameters, redis, { output }) =>
  readById(redis, parameters, output);

export const handler = endpoint(xrange, openRedis, run);
