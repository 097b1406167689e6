import { endpoint, type Run } from '#lib/endpoint/endpoint.ts';
import { commandClient } from '#lib/redis/connections.ts';
import type { Redis } from '#lib/redis/redis.ts';
import { readGroup } from '#lib/stream/read-group.ts';
import { xreadgroup } from './contract.ts';

export const run: Run<typeof xreadgroup, Redis> = (parameters, redis, { deadline, output }) => {
  const { streamWatermarks, ...options } = parameters;
  return readGroup(redis, { ...options, watermarks: streamWatermarks, deadline, output });
};

export const handler = endpoint(xreadgroup, commandClient, run);
