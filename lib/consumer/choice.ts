import type { Breaker } from './breaker.ts';
import { batchFrom } from './batch.ts';
import type { Item } from './item.ts';
import type { Kind } from './lanes.ts';
import type { Shard } from './shard.ts';
import type { Shares } from './shares.ts';
import type { Target } from './target.ts';

/** What to attempt next: one entry, or several where the target takes batches. */
export interface Choice {
  readonly shard: Shard;
  readonly items: readonly Item[];
  readonly kind: Kind;
}

/**
 * Picks what to attempt next. Fresh heads go first. Failing and hot ones go as far as their shares allow, and without
 * bound where nothing is fresh.
 */
export function choose(
  shards: readonly Shard[],
  mode: Breaker<unknown>['mode'],
  shares: Shares,
  target: Target,
  now: number,
): Choice | undefined {
  const fresh = shards.find(({ lanes }) => lanes.ready.fresh.size > 0);
  const order: Kind[] = mode === 'closed' ? ['failing', 'hot', 'fresh'] : ['fresh', 'hot', 'failing'];
  for (const kind of order) {
    if (fresh && !shares.mayStart(kind, now)) continue;
    const shard = kind === 'fresh' ? fresh : shards.find(({ lanes }) => lanes.ready[kind].size > 0);
    if (!shard) continue;
    const head = shard.lanes.ready[kind].shift()!;
    const isBatch = target.batch !== undefined && kind !== 'failing' && mode === 'closed';
    return { shard, kind, items: isBatch ? batchFrom(shard.lanes, kind, head, target) : [head] };
  }
  return undefined;
}
