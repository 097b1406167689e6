import { endpoint, type Run } from '../../../lib/endpoint/endpoint.ts';
import { commandClient } from '../../../lib/redis/connections.ts';
import type { Redis } from '../../../lib/redis/redis.ts';
import { xrangeCommand } from '../../../lib/stream/commands/xrange.ts';
import { xrange } from './contract.ts';

export const run: Run<typeof xrange, Redis> = (parameters, redis) => redis.send(xrangeCommand(parameters));

export const handler = endpoint(xrange, commandClient, run);
