import type { Command } from '../../redis/redis.ts';
import { readIdOrNil, readInteger, readList } from '../../redis/reply-shapes.ts';

export interface PendingSummary {
  readonly pending: number;
  /** Id of the oldest pending entry; null without one. */
  readonly oldestId: string | null;
}

/** The number of pending entries of a group. */
export function xpendingSummaryCommand(key: string, group: string): Command<PendingSummary> {
  return {
    key,
    args: ['XPENDING', key, group],
    decode: (reply) => {
      const [pending, oldestId] = readList(reply);
      return { pending: readInteger(pending), oldestId: readIdOrNil(oldestId) };
    },
  };
}
