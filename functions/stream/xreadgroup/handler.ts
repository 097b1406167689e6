import { endpoint, type Implementation } from '#lib/endpoint/endpoint.ts';
import { openRedis } from '#lib/redis/connections.ts';
import type { Redis } from '#lib/redis/redis.ts';
import { readGroup } from '#lib/stream/read-group.ts';
import { xreadgroup } from './contract.ts';

export const run: Implementation<typeof xreadgroup, Redis> = (parameters, redis, { deadline, output }) => {
  const { streamWatermarks, ...options } = parameters;
  return readGroup(redis, { ...options, watermarks: streamWatermarks, deadline, output });
};

export const handler = endpoint(xreadgroup, openRedis, run);
