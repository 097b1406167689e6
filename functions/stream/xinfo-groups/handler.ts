import { endpoint, type Implementation } from '#lib/endpoint/endpoint.ts';
import { openRedis } from '#lib/redis/connections.ts';
import type { Redis } from '#lib/redis/redis.ts';
import { xinfoGroupsCommand } from '#lib/stream/commands/xinfo-groups.ts';
import { readList } from '#lib/stream/read-list.ts';
import { xinfoGroups } from './contract.ts';

export const run: Implementation<typeof xinfoGroups, Redis> = ({ key }, redis, { output }) =>
  readList(redis, xinfoGroupsCommand(key), output, () =>
    Promise.resolve('the stream has too many groups; stream-xgroup-destroy removes those that are no longer used'),
  );

export const handler = endpoint(xinfoGroups, openRedis, run);
