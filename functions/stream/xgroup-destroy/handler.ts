import { ConnectorError } from '#lib/core/errors.ts';
import { endpoint, type Implementation } from '#lib/endpoint/endpoint.ts';
import { openRedis } from '#lib/redis/connections.ts';
import type { Redis } from '#lib/redis/redis.ts';
import { xgroupDestroyCommand } from '#lib/stream/commands/xgroup-destroy.ts';
import { xgroupDestroy } from './contract.ts';

export const run: Implementation<typeof xgroupDestroy, Redis> = async ({ key, group }, redis) => {
  try {
    return await redis.send(xgroupDestroyCommand(key, group));
  } catch (error) {
    if (error instanceof ConnectorError && error.status === 404) return false; // the stream does not exist
    throw error;
  }
};

export const handler = endpoint(xgroupDestroy, openRedis, run);
