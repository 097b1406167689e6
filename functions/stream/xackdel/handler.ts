import { endpoint, type Implementation } from '#lib/endpoint/endpoint.ts';
import { openRedis } from '#lib/redis/connections.ts';
import type { Redis } from '#lib/redis/redis.ts';
import { xackdelCommand } from '#lib/stream/commands/xdelex.ts';
import { xackdel } from './contract.ts';

export const run: Implementation<typeof xackdel, Redis> = (parameters, redis) => redis.send(xackdelCommand(parameters));

export const handler = endpoint(xackdel, openRedis, run);
