import type { Command, Reply } from '../../redis/redis.ts';

/** An entry that was delivered to a group and not yet acknowledged. */
export interface PendingEntry {
  readonly id: string;
  readonly consumer: string;
  /** Since its last delivery, in milliseconds. */
  readonly idleMs: number;
  /** How often it was delivered, by the server's count. */
  readonly deliveries: number;
}

export interface PendingSummary {
  readonly pending: number;
  /** Id of the oldest pending entry; null where none is. */
  readonly oldestId: string | null;
}

/** Pending entries of a group, in the order of the stream. `after` is exclusive. */
export function xpendingCommand(key: string, group: string, after: string, count: number): Command<PendingEntry[]> {
  return {
    key,
    args: ['XPENDING', key, group, `(${after}`, '+', String(count)],
    decode: (reply) => (reply as string[][]).map(decodePending),
  };
}

/** How many entries of a group are pending. */
export function xpendingSummaryCommand(key: string, group: string): Command<PendingSummary> {
  return {
    key,
    args: ['XPENDING', key, group],
    decode: (reply) => {
      const [pending, oldestId] = reply as [string, Reply];
      return { pending: Number(pending), oldestId: oldestId as string | null };
    },
  };
}

function decodePending([id, consumer, idleMs, deliveries]: string[]): PendingEntry {
  return { id: id!, consumer: consumer!, idleMs: Number(idleMs), deliveries: Number(deliveries) };
}
