import { endpoint, type Run } from '../../../lib/endpoint/endpoint.ts';
import { commandClient } from '../../../lib/redis/connections.ts';
import type { Redis } from '../../../lib/redis/redis.ts';
import { claimCommand } from '../../../lib/stream/scripts/claim.ts';
import { xclaim } from './contract.ts';

export const run: Run<typeof xclaim, Redis> = (parameters, redis, { responseSize }) =>
  redis.send(claimCommand(parameters, responseSize));

export const handler = endpoint(xclaim, commandClient, run);
