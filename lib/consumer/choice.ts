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

const FAILING_FIRST: readonly Kind[] = ['failing', 'hot', 'fresh'];
const FRESH_FIRST: readonly Kind[] = ['fresh', 'hot', 'failing'];

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
  for (const kind of mode === 'closed' ? FAILING_FIRST : FRESH_FIRST) {
    const shard = shardWith(shards, kind, now);
    if (!shard || (!shares.mayStart(kind, now) && shardWith(shards, 'fresh', now))) continue;
    const head = shard.lanes.ready[kind].shift()!;
    const isBatch = target.batch !== undefined && kind !== 'failing' && mode === 'closed';
    return { shard, kind, items: isBatch ? batchFrom(shard.lanes, kind, head, target) : [head] };
  }
  return undefined;
}

/** The first shard with a head of this kind, and with a lease that is sure to be held. */
function shardWith(shards: readonly Shard[], kind: Kind, now: number): Shard | undefined {
  for (const shard of shards) if (shard.lanes.ready[kind].size > 0 && now < shard.lease.validUntil) return shard;
  return undefined;
}
