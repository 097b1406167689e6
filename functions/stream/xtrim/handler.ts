import { endpoint, type Implementation } from '#lib/endpoint/endpoint.ts';
import { openRedis } from '#lib/redis/connections.ts';
import type { Redis } from '#lib/redis/redis.ts';
import { xtrimCommand } from '#lib/stream/commands/xtrim.ts';
import { xtrim } from './contract.ts';

export const run: Implementation<typeof xtrim, Redis> = ({ key, evictionOption, references }, redis) =>
  redis.send(xtrimCommand(key, evictionOption, references));

export const handler = endpoint(xtrim, openRedis, run);
