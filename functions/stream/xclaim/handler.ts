import { endpoint, type Run } from '../../../lib/endpoint/endpoint.ts';
import { commandClient } from '../../../lib/redis/connections.ts';
import type { Redis } from '../../../lib/redis/redis.ts';
import { claim } from '../../../lib/stream/claim.ts';
import { claimCommand } from '../../../lib/stream/scripts/claim.ts';
import { xclaim } from './contract.ts';

export const run: Run<typeof xclaim, Redis> = (parameters, redis, { output }) =>
  claim(redis, (measure) => claimCommand(parameters, measure), { ...parameters, output });

export const handler = endpoint(xclaim, commandClient, run);
