import type { Redis, Reply } from './redis.ts';
import { addressOf } from './unreached.ts';

/** A master of a cluster. */
export interface Master {
  /** Its host and port, as the cluster announces them. */
  readonly address: string;
  /** A key that it has. */
  readonly key: string;
}

type SlotRange = [first: string, last: string, master: [host: string, port: string, ...Reply[]], ...replicas: Reply[]];

/**
 * The masters of a cluster that have these keys, with one of the keys each.
 *
 * @throws {ConnectorError} `STREAM:*`
 */
export async function mastersOf(redis: Redis, keys: readonly string[]): Promise<Master[]> {
  const decode = (reply: Reply) => reply as SlotRange[];
  const ranges = await redis.send({ key: keys[0]!, args: ['CLUSTER', 'SLOTS'], decode });
  const masterOf = (key: string) => {
    const slot = redis.slotOf(key);
    const [, , master] = ranges.find(([first, last]) => Number(first) <= slot && slot <= Number(last)) ?? [];
    return master ? addressOf({ host: master[0], port: Number(master[1]) }) : 'no node';
  };
  return Array.from(Map.groupBy(keys, masterOf), ([address, [key]]) => ({ address, key: key! }));
}
