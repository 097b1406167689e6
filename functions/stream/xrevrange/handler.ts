import { endpoint, type Run } from '#lib/endpoint/endpoint.ts';
import { commandClient } from '#lib/redis/connections.ts';
import type { Redis } from '#lib/redis/redis.ts';
import { readById } from '#lib/stream/read-by-id.ts';
import { xrevrange } from './contract.ts';

export const run: Run<typeof xrevrange, Redis> = (parameters, redis, { output }) =>
  readById(redis, parameters, output, true);

export const handler = endpoint(xrevrange, commandClient, run);
