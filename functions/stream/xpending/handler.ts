import { endpoint, type Implementation } from '#lib/endpoint/endpoint.ts';
import { openRedis } from '#lib/redis/connections.ts';
import type { Redis } from '#lib/redis/redis.ts';
import { readPending } from '#lib/stream/read-pending.ts';
import { xpending } from './contract.ts';

export const run: Implementation<typeof xpending, Redis> = (parameters, redis, { output }) =>
  readPending(redis, parameters, output);

export const handler = endpoint(xpending, openRedis, run);
