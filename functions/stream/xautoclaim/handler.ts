import { endpoint, type Implementation } from '#lib/endpoint/endpoint.ts';
import { openRedis } from '#lib/redis/connections.ts';
import type { Redis } from '#lib/redis/redis.ts';
import { autoclaim } from '#lib/stream/claim.ts';
import { autoclaimIdsCommand } from '#lib/stream/scripts/claim.ts';
import { xautoclaim } from './contract.ts';

export const run: Implementation<typeof xautoclaim, Redis> = ({ justId, ...parameters }, redis, { output, deadline }) =>
  justId ? redis.send(autoclaimIdsCommand(parameters)) : autoclaim(redis, parameters, { output, deadline });

export const handler = endpoint(xautoclaim, openRedis, run);
