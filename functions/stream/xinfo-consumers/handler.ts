import { endpoint, type Implementation } from '#lib/endpoint/endpoint.ts';
import { openRedis } from '#lib/redis/connections.ts';
import type { Redis } from '#lib/redis/redis.ts';
import { xinfoConsumersCommand } from '#lib/stream/commands/xinfo-consumers.ts';
import { manyConsumers, readList } from '#lib/stream/read-list.ts';
import { xinfoConsumers } from './contract.ts';

export const run: Implementation<typeof xinfoConsumers, Redis> = ({ key, group }, redis, { output }) =>
  readList(redis, xinfoConsumersCommand(key, group), output, () => manyConsumers(redis, key, group));

export const handler = endpoint(xinfoConsumers, openRedis, run);
