import { compareIds } from '../../core/entry-id.ts';
import type { Redis } from '../../redis/redis.ts';
import { xinfoGroupsCommand } from '../../stream/commands/xinfo-groups.ts';
import { xpendingSummaryCommand } from '../../stream/commands/xpending.ts';
import { xtrimCommand } from '../../stream/commands/xtrim.ts';
import { nextId } from '../entry.ts';

/**
 * Deletes the entries that every group of a stream has processed: those before the oldest pending or unread entry of
 * any group. Returns how many.
 */
export async function trimStream(redis: Redis, stream: string): Promise<number> {
  const groups = await redis.send(xinfoGroupsCommand(stream));
  const needed = await Promise.all(
    groups.map(async ({ name, 'last-delivered-id': delivered }) => {
      const { oldestId } = await redis.send(xpendingSummaryCommand(stream, name as string));
      return oldestId ?? nextId(delivered as string);
    }),
  );
  const [first] = needed.sort(compareIds);
  return first === undefined ? 0 : redis.send(xtrimCommand(stream, { id: first }));
}
