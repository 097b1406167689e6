import { endpoint, type Implementation } from '#lib/endpoint/endpoint.ts';
import { openRedis } from '#lib/redis/connections.ts';
import type { Redis } from '#lib/redis/redis.ts';
import { xgroupCreateCommand } from '#lib/stream/commands/xgroup-create.ts';
import { xgroupCreate } from './contract.ts';

export const run: Implementation<typeof xgroupCreate, Redis> = (parameters, redis) =>
  redis.send(xgroupCreateCommand(parameters));

export const handler = endpoint(xgroupCreate, openRedis, run);
