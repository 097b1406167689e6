import { endpoint, type Run } from '../../../lib/endpoint/endpoint.ts';
import { commandClient } from '../../../lib/redis/connections.ts';
import type { Redis } from '../../../lib/redis/redis.ts';
import { xinfoGroupsCommand } from '../../../lib/stream/commands/xinfo-groups.ts';
import { xinfoGroups } from './contract.ts';

export const run: Run<typeof xinfoGroups, Redis> = ({ key }, redis) => redis.send(xinfoGroupsCommand(key));

export const handler = endpoint(xinfoGroups, commandClient, run);
