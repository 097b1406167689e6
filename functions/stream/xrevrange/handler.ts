import { endpoint, type Implementation } from '#lib/endpoint/endpoint.ts';
import { openRedis } from '#lib/redis/connections.ts';
import type { Redis } from '#lib/redis/redis.ts';
import { readById } from '#lib/stream/read-by-id.ts';
import { xrevrange } from './contract.ts';

export const run: Implementation<typeof xrevrange, Redis> = (parameters, redis, { output }) =>
  readById(redis, parameters, output, true);

export const handler = endpoint(xrevrange, openRedis, run);
