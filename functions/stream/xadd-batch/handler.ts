import { endpoint, type Run } from '#lib/endpoint/endpoint.ts';
import { commandClient } from '#lib/redis/connections.ts';
import type { Redis } from '#lib/redis/redis.ts';
import { xaddBatchCommand } from '#lib/stream/commands/xadd-batch.ts';
import { xaddBatch } from './contract.ts';

export const run: Run<typeof xaddBatch, Redis> = (parameters, redis) => redis.send(xaddBatchCommand(parameters));

export const handler = endpoint(xaddBatch, commandClient, run);
