import type { Kind } from '../window/key-order.ts';
import type { PendingEntry } from '../window/pending-entry.ts';
import type { Window } from '../window/window.ts';

/** A shard whose entries may be attempted, for as long as its lease is held. */
export interface Source {
  readonly stream: string;
  readonly window: Window;
  /** Whether its lease has ended, so that results of its entries change nothing any more. */
  readonly isOver: boolean;
  /** Whether its lease is certainly held now. */
  isHeld(now: number): boolean;
}

/** An entry, or a batch, at the target. */
export interface Attempt<S extends Source = Source> {
  readonly source: S;
  readonly entries: readonly PendingEntry[];
  readonly kind: Kind;
  readonly startedAt: number;
  /** Its number in the breaker's count. */
  readonly begunAs: number;
  /** Whether its key is fresh: not known to fail. */
  readonly isFresh: boolean;
  /** Whether it is tried alone. */
  readonly isAlone: boolean;
  /** Its index among those in flight; -1 after its end. */
  place: number;
}
