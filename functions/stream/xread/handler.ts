import { endpoint, type Run } from '../../../lib/endpoint/endpoint.ts';
import { commandClient } from '../../../lib/redis/connections.ts';
import type { Redis } from '../../../lib/redis/redis.ts';
import { xreadCommand } from '../../../lib/stream/commands/xread.ts';
import { readStreams } from '../../../lib/stream/read-streams.ts';
import { xread } from './contract.ts';

export const run: Run<typeof xread, Redis> = ({ streamWatermarks, count, block }, redis, { deadline }) =>
  readStreams(redis, streamWatermarks, {
    block,
    deadline,
    command: (watermarks, blockMs) => xreadCommand({ watermarks, count, blockMs }),
  });

export const handler = endpoint(xread, commandClient, run);
