import { endpoint, type Run } from '#lib/endpoint/endpoint.ts';
import { commandClient } from '#lib/redis/connections.ts';
import type { Redis } from '#lib/redis/redis.ts';
import { xackdelCommand } from '#lib/stream/commands/xdelex.ts';
import { xackdel } from './contract.ts';

export const run: Run<typeof xackdel, Redis> = (parameters, redis) => redis.send(xackdelCommand(parameters));

export const handler = endpoint(xackdel, commandClient, run);
