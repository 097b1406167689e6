import { endpoint, type Run } from '#lib/endpoint/endpoint.ts';
import { commandClient } from '#lib/redis/connections.ts';
import type { Redis } from '#lib/redis/redis.ts';
import { xdelexCommand } from '#lib/stream/commands/xdelex.ts';
import { xdelex } from './contract.ts';

export const run: Run<typeof xdelex, Redis> = (parameters, redis) => redis.send(xdelexCommand(parameters));

export const handler = endpoint(xdelex, commandClient, run);
