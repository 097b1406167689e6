import type { Breaker } from './breaker.ts';
import { batchFrom } from './batch.ts';
import type { Item } from './item.ts';
import type { Kind } from './lanes.ts';
import type { Shard } from './shard.ts';
import type { Shares } from './shares.ts';
import type { Target } from './targets/target.ts';

/** What to attempt next: one entry, or several where the target takes batches. */
export interface Choice {
  readonly shard: Shard;
  readonly items: readonly Item[];
  readonly kind: Kind;
}

const FAILING_FIRST: readonly Kind[] = ['failing', 'hot', 'fresh'];
const FRESH_FIRST: readonly Kind[] = ['fresh', 'hot', 'failing'];

/**
 * Picks what to attempt next, for as long as no heads are added. Fresh heads go first. Failing and hot ones go as far as
 * their shares allow, and without bound where nothing is fresh.
 */
export class Chooser {
  readonly #shards: readonly Shard[];
  readonly #shares: Shares;
  readonly #target: Target;
  /** How many shards, from the first, have no heads of a kind left. */
  readonly #searched: Record<Kind, number> = { failing: 0, hot: 0, fresh: 0 };
  readonly #hasSuspects: boolean;

  constructor(shards: readonly Shard[], shares: Shares, target: Target) {
    this.#shards = shards;
    this.#shares = shares;
    this.#target = target;
    this.#hasSuspects = shards.some(({ lanes }) => lanes.suspects.size > 0);
  }

  /** Whether an entry should be tried alone now. */
  isTimeForSuspect(mode: Breaker<unknown>['mode'], now: number): boolean {
    if (!this.#hasSuspects || mode === 'doubt') return false;
    if (!this.#shards.some(({ lanes }) => lanes.readySize > 0)) return true;
    return mode === 'closed' && this.#shares.mayStart('failing', now);
  }

  choose(mode: Breaker<unknown>['mode'], now: number): Choice | undefined {
    const target = this.#target;
    for (const kind of mode === 'closed' ? FAILING_FIRST : FRESH_FIRST) {
      const shard = this.#shardWith(kind, now);
      if (!shard || (!this.#shares.mayStart(kind, now) && this.#shardWith('fresh', now))) continue;
      const head = shard.lanes.ready[kind].shift()!;
      const isBatch = target.batch !== undefined && kind !== 'failing' && mode === 'closed';
      return { shard, kind, items: isBatch ? batchFrom(shard.lanes, kind, head, target) : [head] };
    }
    return undefined;
  }

  /** The first shard with a head of this kind, and with a lease that is sure to be held. */
  #shardWith(kind: Kind, now: number): Shard | undefined {
    for (; this.#searched[kind] < this.#shards.length; this.#searched[kind]++) {
      const shard = this.#shards[this.#searched[kind]]!;
      if (shard.lanes.ready[kind].size > 0 && now < shard.lease.validUntil) return shard;
    }
    return undefined;
  }
}
