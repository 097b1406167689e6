import { endpoint, type Implementation } from '#lib/endpoint/endpoint.ts';
import { openRedis } from '#lib/redis/connections.ts';
import type { Redis } from '#lib/redis/redis.ts';
import { xlenCommand } from '#lib/stream/commands/xlen.ts';
import { xlen } from './contract.ts';

export const run: Implementation<typeof xlen, Redis> = ({ key }, redis) => redis.send(xlenCommand(key));

export const handler = endpoint(xlen, openRedis, run);
