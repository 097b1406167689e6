import type { Redis, Reply } from './redis.ts';

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
  const [key = ''] = keys;
  const decode = (reply: Reply) => reply as SlotRange[];
  const ranges = await redis.send({ key, args: ['CLUSTER', 'SLOTS'], decode });
  const addressOf = (key: string) => {
    const slot = redis.slotOf(key);
    const range = ranges.find(([first, last]) => Number(first) <= slot && slot <= Number(last));
    return range ? `${range[2][0]}:${range[2][1]}` : 'no node';
  };
  return Array.from(Map.groupBy(keys, addressOf), ([address, [key]]) => ({ address, key: key! }));
}
