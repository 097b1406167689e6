import { endpoint, type Run } from '../../../lib/endpoint/endpoint.ts';
import { commandClient } from '../../../lib/redis/connections.ts';
import type { Redis } from '../../../lib/redis/redis.ts';
import { xinfoConsumersCommand } from '../../../lib/stream/commands/xinfo-consumers.ts';
import { xinfoConsumers } from './contract.ts';

export const run: Run<typeof xinfoConsumers, Redis> = ({ key, group }, redis) =>
  redis.send(xinfoConsumersCommand(key, group));

export const handler = endpoint(xinfoConsumers, commandClient, run);
