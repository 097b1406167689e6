import { endpoint, type Implementation } from '#lib/endpoint/endpoint.ts';
import { openRedis } from '#lib/redis/connections.ts';
import type { Redis } from '#lib/redis/redis.ts';
import { xaddBatchCommand } from '#lib/stream/commands/xadd-batch.ts';
import { xaddBatch } from './contract.ts';

export const run: Implementation<typeof xaddBatch, Redis> = (parameters, redis) =>
  redis.send(xaddBatchCommand(parameters));

export const handler = endpoint(xaddBatch, openRedis, run);
