import { endpoint, type Implementation } from '#lib/endpoint/endpoint.ts';
import { openRedis } from '#lib/redis/connections.ts';
import type { Redis } from '#lib/redis/redis.ts';
import { claim } from '#lib/stream/claim.ts';
import { claimIdsCommand } from '#lib/stream/scripts/claim.ts';
import { xclaim } from './contract.ts';

export const run: Implementation<typeof xclaim, Redis> = ({ justId, ...parameters }, redis, { output, deadline }) =>
  justId ? redis.send(claimIdsCommand(parameters)) : claim(redis, parameters, { output, deadline });

export const handler = endpoint(xclaim, openRedis, run);
