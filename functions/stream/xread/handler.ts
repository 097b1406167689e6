import { endpoint, type Implementation } from '#lib/endpoint/endpoint.ts';
import { openRedis } from '#lib/redis/connections.ts';
import type { Redis } from '#lib/redis/redis.ts';
import { readStreams } from '#lib/stream/read-streams.ts';
import { xread } from './contract.ts';

export const run: Implementation<typeof xread, Redis> = (
  { streamWatermarks, ...options },
  redis,
  { deadline, output },
) => readStreams(redis, { ...options, watermarks: streamWatermarks, deadline, output });

export const handler = endpoint(xread, openRedis, run);
