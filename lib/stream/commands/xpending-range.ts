import type { PendingDelivery, PendingOverview } from '../../contract/parameters/stream-info.ts';
import { exactInteger } from '../../core/json.ts';
import type { Command, Reply } from '../../redis/redis.ts';
import { readDigits, readId, readIdOrNil, readList, readText } from '../../redis/reply-shapes.ts';

export interface XpendingParameters {
  key: string;
  group: string;
  /** With `end` and `count`: the entries instead of the summary. */
  start?: string;
  end?: string;
  count?: number | string;
  consumer?: string;
  minIdleMs?: number | string;
}

/** The number of pending entries of a group, and of each consumer. */
export function xpendingOverviewCommand({ key, group }: XpendingParameters): Command<PendingOverview> {
  return {
    key,
    args: ['XPENDING', key, group],
    decode(reply) {
      const [count, minId, maxId, consumers] = readList(reply);
      return {
        count: exactInteger(readDigits(count)),
        minId: readIdOrNil(minId),
        maxId: readIdOrNil(maxId),
        consumers: readList(consumers, { orNil: true }).map((consumer) => {
          const [name, pending] = readList(consumer);
          return { name: readText(name), pending: exactInteger(readDigits(readText(pending))) };
        }),
      };
    },
  };
}

/** Pending entries of a range, in order. */
export function xpendingRangeCommand(parameters: XpendingParameters): Command<PendingDelivery[]> {
  const { key, group, start, end, count, consumer, minIdleMs } = parameters;
  const idle = minIdleMs === undefined ? [] : ['IDLE', String(minIdleMs)];
  const range = [...idle, start!, end!, String(count), ...(consumer === undefined ? [] : [consumer])];
  return {
    key,
    args: ['XPENDING', key, group, ...range],
    decode: (reply) => readList(reply).map(decodeDelivery),
  };
}

function decodeDelivery(row: Reply): PendingDelivery {
  const [id, consumer, idleMs, deliveries] = readList(row);
  return {
    id: readId(id),
    consumer: readText(consumer),
    idleMs: exactInteger(readDigits(idleMs)),
    deliveries: exactInteger(readDigits(deliveries)),
  };
}
