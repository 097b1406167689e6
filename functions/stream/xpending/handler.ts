import { endpoint, type Run } from '../../../lib/endpoint/endpoint.ts';
import { commandClient } from '../../../lib/redis/connections.ts';
import type { Redis } from '../../../lib/redis/redis.ts';
import { xpendingRangeCommand } from '../../../lib/stream/commands/xpending-range.ts';
import { xpending } from './contract.ts';

export const run: Run<typeof xpending, Redis> = (parameters, redis) => redis.send(xpendingRangeCommand(parameters));

export const handler = endpoint(xpending, commandClient, run);
