import { endpoint, type Run } from '#lib/endpoint/endpoint.ts';
import { commandClient } from '#lib/redis/connections.ts';
import type { Redis } from '#lib/redis/redis.ts';
import { readById } from '#lib/stream/read-by-id.ts';
import { xrange } from './contract.ts';

export const run: Run<typeof xrange, Redis> = (parameters, redis, { output }) => readById(redis, parameters, output);

export const handler = endpoint(xrange, commandClient, run);
