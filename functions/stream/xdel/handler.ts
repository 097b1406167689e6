import { endpoint, type Run } from '#lib/endpoint/endpoint.ts';
import { commandClient } from '#lib/redis/connections.ts';
import type { Redis } from '#lib/redis/redis.ts';
import { xdelCommand } from '#lib/stream/commands/xdel.ts';
import { xdel } from './contract.ts';

export const run: Run<typeof xdel, Redis> = ({ key, ids }, redis) => redis.send(xdelCommand(key, ids));

export const handler = endpoint(xdel, commandClient, run);
