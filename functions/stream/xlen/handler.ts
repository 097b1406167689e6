import { endpoint, type Run } from '#lib/endpoint/endpoint.ts';
import { commandClient } from '#lib/redis/connections.ts';
import type { Redis } from '#lib/redis/redis.ts';
import { xlenCommand } from '#lib/stream/commands/xlen.ts';
import { xlen } from './contract.ts';

export const run: Run<typeof xlen, Redis> = ({ key }, redis) => redis.send(xlenCommand(key));

export const handler = endpoint(xlen, commandClient, run);
