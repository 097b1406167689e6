import type { PendingDelivery, PendingOverview } from '../../contract/parameters/stream-info.ts';
import { exactInteger } from '../../core/json.ts';
import type { Command } from '../../redis/redis.ts';

export interface XpendingParameters {
  key: string;
  group: string;
  /** Together with `end` and `count`: the entries, instead of the summary. */
  start?: string;
  end?: string;
  count?: number | string;
  consumer?: string;
  minIdleMs?: number | string;
}

/** Pending entries of a group: a summary, or with a range the entries in their order. */
export function xpendingRangeCommand(parameters: XpendingParameters): Command<PendingOverview | PendingDelivery[]> {
  const { key, group, start, end, count, consumer, minIdleMs } = parameters;
  if (start === undefined) return { key, args: ['XPENDING', key, group], decode: decodeOverview };
  const idle = minIdleMs === undefined ? [] : ['IDLE', String(minIdleMs)];
  const range = [...idle, start, end!, String(count), ...(consumer === undefined ? [] : [consumer])];
  return {
    key,
    args: ['XPENDING', key, group, ...range],
    decode: (reply) => (reply as string[][]).map(decodeDelivery),
  };
}

function decodeOverview(reply: unknown): PendingOverview {
  const [count, minId, maxId, consumers] = reply as [string, string | null, string | null, [string, string][] | null];
  const named = (consumers ?? []).map(([name, pending]) => ({ name, pending: exactInteger(pending) }));
  return { count: exactInteger(count), minId, maxId, consumers: named };
}

function decodeDelivery([id, consumer, idleMs, deliveries]: string[]): PendingDelivery {
  return { id: id!, consumer: consumer!, idleMs: exactInteger(idleMs!), deliveries: exactInteger(deliveries!) };
}
