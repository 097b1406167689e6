import type { Kind } from '../window/key-order.ts';
import type { PendingEntry } from '../window/pending-entry.ts';
import type { Window } from '../window/window.ts';

/** A shard whose entries may be attempted, for as long as its lease is held. */
export interface Source {
  readonly stream: string;
  readonly window: Window;
  /** Whether its lease has ended: what comes of its entries from here on changes nothing. */
  readonly isOver: boolean;
  /** Whether its lease is sure to be held now. */
  isHeld(now: number): boolean;
}

/** An entry, or a batch, that is with the target. */
export interface Attempt<S extends Source = Source> {
  readonly source: S;
  readonly entries: readonly PendingEntry[];
  readonly kind: Kind;
  readonly startedAt: number;
  /** Its number by the count of the breaker. */
  readonly begunAs: number;
  /** Whether its key is not known to fail. */
  readonly isFresh: boolean;
  /** Whether nothing else is under way meanwhile. */
  readonly isAlone: boolean;
  /** Where it stands among those in flight; -1 once it has ended. */
  place: number;
}
