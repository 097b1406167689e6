import { endpoint, type Run } from '../../../lib/endpoint/endpoint.ts';
import { commandClient } from '../../../lib/redis/connections.ts';
import type { Redis } from '../../../lib/redis/redis.ts';
import { xinfoStreamCommand } from '../../../lib/stream/commands/xinfo-stream.ts';
import { xinfoStream } from './contract.ts';

export const run: Run<typeof xinfoStream, Redis> = ({ key, ...options }, redis) =>
  redis.send(xinfoStreamCommand(key, options));

export const handler = endpoint(xinfoStream, commandClient, run);
