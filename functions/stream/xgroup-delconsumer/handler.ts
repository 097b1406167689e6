import { endpoint, type Run } from '#lib/endpoint/endpoint.ts';
import { commandClient } from '#lib/redis/connections.ts';
import type { Redis } from '#lib/redis/redis.ts';
import { xgroupDelconsumerCommand } from '#lib/stream/commands/xgroup-consumer.ts';
import { xgroupDelconsumer } from './contract.ts';

export const run: Run<typeof xgroupDelconsumer, Redis> = (parameters, redis) =>
  redis.send(xgroupDelconsumerCommand(parameters));

export const handler = endpoint(xgroupDelconsumer, commandClient, run);
