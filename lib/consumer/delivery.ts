import { isDoubtful } from './entry.ts';
import { attemptsOf, type Item } from './item.ts';
import { TargetFailure } from './targets/failure.ts';
import type { Shard } from './shard.ts';
import type { Attempt, Delivery, Target } from './targets/target.ts';

/** Gives entries to the target, one or a batch. Returns the ids that failed of a batch that was taken. */
export function deliver(
  target: Target,
  shard: Shard,
  items: readonly Item[],
): Promise<ReadonlySet<string> | undefined> {
  try {
    if (items.length > 1) return target.batch!.process(items.map((item) => deliveryOf(shard, item)));
    const item = items[0]!;
    if (isDoubtful(item.entry!)) return deliverDoubtful(target, shard, item);
    return target.process(item.entry!, attemptOf(shard, item)) as Promise<undefined>;
  } catch (error) {
    return Promise.reject(error instanceof Error ? error : new Error(String(error))); // it failed before its first await
  }
}

/** The lease may be lost during the check, and another run be at work: the attempt keeps the signal that it began with. */
async function deliverDoubtful(target: Target, shard: Shard, item: Item): Promise<undefined> {
  const entry = item.entry!;
  const attempt = attemptOf(shard, item);
  const isUtf8 = await shard.group.isUtf8(entry);
  attempt.signal.throwIfAborted();
  if (!isUtf8) throw new TargetFailure('invalid', 'CONNECTOR:ENCODING', 'A field is not UTF-8');
  await target.process(entry, attempt);
}

const attemptOf = ({ stream, signal }: Shard, item: Item): Attempt => {
  return { stream, deliveries: attemptsOf(item) + 1, signal };
};

const deliveryOf = (shard: Shard, item: Item): Delivery => ({ ...attemptOf(shard, item), entry: item.entry! });
