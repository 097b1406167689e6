import { endpoint, type Run } from '../../../lib/endpoint/endpoint.ts';
import { commandClient } from '../../../lib/redis/connections.ts';
import type { Redis } from '../../../lib/redis/redis.ts';
import { claim } from '../../../lib/stream/claim.ts';
import { autoclaimCommand } from '../../../lib/stream/scripts/claim.ts';
import { xautoclaim } from './contract.ts';

export const run: Run<typeof xautoclaim, Redis> = (parameters, redis, { output }) =>
  claim(redis, (measure) => autoclaimCommand(parameters, measure), { ...parameters, output });

export const handler = endpoint(xautoclaim, commandClient, run);
