import { isDoubtful } from './entry.ts';
import { attemptsOf, type Item } from './item.ts';
import { TargetFailure } from './outcome.ts';
import type { Shard } from './shard.ts';
import type { Delivery, Target } from './target.ts';

const NONE: ReadonlySet<string> = new Set();

/** Gives entries to the target, one or a batch. Returns the ids that failed of a batch that was taken. */
export async function deliver(target: Target, shard: Shard, items: readonly Item[]): Promise<ReadonlySet<string>> {
  if (items.length > 1) return target.batch!.process(items.map((item) => deliveryOf(shard, item)));
  const { entry, ...attempt } = deliveryOf(shard, items[0]!);
  if (isDoubtful(entry) && !(await shard.group.isUtf8(entry))) {
    throw new TargetFailure('invalid', 'CONNECTOR:ENCODING', 'A field is not UTF-8');
  }
  await target.process(entry, attempt);
  return NONE;
}

function deliveryOf({ giveUp: { signal } }: Shard, item: Item): Delivery {
  return { entry: item.entry!, deliveries: attemptsOf(item) + 1, signal };
}
