import { endpoint, type Run } from '#lib/endpoint/endpoint.ts';
import { commandClient } from '#lib/redis/connections.ts';
import type { Redis } from '#lib/redis/redis.ts';
import { xgroupCreateconsumerCommand } from '#lib/stream/commands/xgroup-consumer.ts';
import { xgroupCreateconsumer } from './contract.ts';

export const run: Run<typeof xgroupCreateconsumer, Redis> = (parameters, redis) =>
  redis.send(xgroupCreateconsumerCommand(parameters));

export const handler = endpoint(xgroupCreateconsumer, commandClient, run);
