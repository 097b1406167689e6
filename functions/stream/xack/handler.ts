import { endpoint, type Implementation } from '#lib/endpoint/endpoint.ts';
import { openRedis } from '#lib/redis/connections.ts';
import type { Redis } from '#lib/redis/redis.ts';
import { xackCommand } from '#lib/stream/commands/xack.ts';
import { xack } from './contract.ts';

export const run: Implementation<typeof xack, Redis> = ({ key, group, ids }, redis) =>
  redis.send(xackCommand(key, group, ids));

export const handler = endpoint(xack, openRedis, run);
