import { endpoint, type Implementation } from '#lib/endpoint/endpoint.ts';
import { openRedis } from '#lib/redis/connections.ts';
import type { Redis } from '#lib/redis/redis.ts';
import { xaddCommand } from '#lib/stream/commands/xadd.ts';
import { xadd } from './contract.ts';

export const run: Implementation<typeof xadd, Redis> = (parameters, redis) => redis.send(xaddCommand(parameters));

export const handler = endpoint(xadd, openRedis, run);
