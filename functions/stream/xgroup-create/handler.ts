import { endpoint, type Run } from '#lib/endpoint/endpoint.ts';
import { commandClient } from '#lib/redis/connections.ts';
import type { Redis } from '#lib/redis/redis.ts';
import { xgroupCreateCommand } from '#lib/stream/commands/xgroup-create.ts';
import { xgroupCreate } from './contract.ts';

export const run: Run<typeof xgroupCreate, Redis> = (parameters, redis) => redis.send(xgroupCreateCommand(parameters));

export const handler = endpoint(xgroupCreate, commandClient, run);
