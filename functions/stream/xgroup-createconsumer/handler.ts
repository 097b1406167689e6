import { endpoint, type Implementation } from '#lib/endpoint/endpoint.ts';
import { openRedis } from '#lib/redis/connections.ts';
import type { Redis } from '#lib/redis/redis.ts';
import { xgroupCreateconsumerCommand } from '#lib/stream/commands/xgroup-consumer.ts';
import { xgroupCreateconsumer } from './contract.ts';

export const run: Implementation<typeof xgroupCreateconsumer, Redis> = (parameters, redis) =>
  redis.send(xgroupCreateconsumerCommand(parameters));

export const handler = endpoint(xgroupCreateconsumer, openRedis, run);
