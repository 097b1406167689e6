import { endpoint, type Implementation } from '#lib/endpoint/endpoint.ts';
import { openRedis } from '#lib/redis/connections.ts';
import type { Redis } from '#lib/redis/redis.ts';
import { readInfo } from '#lib/stream/read-info.ts';
import { xinfoStream } from './contract.ts';

export const run: Implementation<typeof xinfoStream, Redis> = ({ key, ...options }, redis, { output }) =>
  readInfo(redis, key, options, output);

export const handler = endpoint(xinfoStream, openRedis, run);
