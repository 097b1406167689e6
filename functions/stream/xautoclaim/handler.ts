import { endpoint, type Run } from '#lib/endpoint/endpoint.ts';
import { commandClient } from '#lib/redis/connections.ts';
import type { Redis } from '#lib/redis/redis.ts';
import { autoclaim } from '#lib/stream/claim.ts';
import { autoclaimIdsCommand } from '#lib/stream/scripts/claim.ts';
import { xautoclaim } from './contract.ts';

export const run: Run<typeof xautoclaim, Redis> = ({ justId, ...parameters }, redis, { output, deadline }) =>
  justId ? redis.send(autoclaimIdsCommand(parameters)) : autoclaim(redis, parameters, { output, deadline });

export const handler = endpoint(xautoclaim, commandClient, run);
