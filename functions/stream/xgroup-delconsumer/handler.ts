import { endpoint, type Implementation } from '#lib/endpoint/endpoint.ts';
import { openRedis } from '#lib/redis/connections.ts';
import type { Redis } from '#lib/redis/redis.ts';
import { xgroupDelconsumerCommand } from '#lib/stream/commands/xgroup-consumer.ts';
import { xgroupDelconsumer } from './contract.ts';

export const run: Implementation<typeof xgroupDelconsumer, Redis> = (parameters, redis) =>
  redis.send(xgroupDelconsumerCommand(parameters));

export const handler = endpoint(xgroupDelconsumer, openRedis, run);
