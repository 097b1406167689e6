import { endpoint, type Implementation } from '#lib/endpoint/endpoint.ts';
import { openRedis } from '#lib/redis/connections.ts';
import type { Redis } from '#lib/redis/redis.ts';
import { xgroupSetidCommand } from '#lib/stream/commands/xgroup-setid.ts';
import { xgroupSetid } from './contract.ts';

export const run: Implementation<typeof xgroupSetid, Redis> = (parameters, redis) =>
  redis.send(xgroupSetidCommand(parameters));

export const handler = endpoint(xgroupSetid, openRedis, run);
