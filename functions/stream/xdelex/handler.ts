import { endpoint, type Implementation } from '#lib/endpoint/endpoint.ts';
import { openRedis } from '#lib/redis/connections.ts';
import type { Redis } from '#lib/redis/redis.ts';
import { xdelexCommand } from '#lib/stream/commands/xdelex.ts';
import { xdelex } from './contract.ts';

export const run: Implementation<typeof xdelex, Redis> = (parameters, redis) => redis.send(xdelexCommand(parameters));

export const handler = endpoint(xdelex, openRedis, run);
