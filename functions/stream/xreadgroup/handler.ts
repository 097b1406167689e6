import { endpoint, type Run } from '../../../lib/endpoint/endpoint.ts';
import { commandClient } from '../../../lib/redis/connections.ts';
import type { Redis } from '../../../lib/redis/redis.ts';
import { xreadgroupCommand } from '../../../lib/stream/commands/xreadgroup.ts';
import { readStreams } from '../../../lib/stream/read-streams.ts';
import { xreadgroup } from './contract.ts';

export const run: Run<typeof xreadgroup, Redis> = (parameters, redis, { deadline }) => {
  const { group, consumer, count, noack, block, streamWatermarks } = parameters;
  return readStreams(redis, streamWatermarks, {
    block,
    deadline,
    command: (watermarks, blockMs) => xreadgroupCommand({ group, consumer, count, noack, watermarks, blockMs }),
  });
};

export const handler = endpoint(xreadgroup, commandClient, run);
