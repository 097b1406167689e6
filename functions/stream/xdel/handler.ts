import { endpoint, type Implementation } from '#lib/endpoint/endpoint.ts';
import { openRedis } from '#lib/redis/connections.ts';
import type { Redis } from '#lib/redis/redis.ts';
import { xdelCommand } from '#lib/stream/commands/xdel.ts';
import { xdel } from './contract.ts';

export const run: Implementation<typeof xdel, Redis> = ({ key, ids }, redis) => redis.send(xdelCommand(key, ids));

export const handler = endpoint(xdel, openRedis, run);
