import type { Kind } from '../window/key-order.ts';
import type { LoadedEntry, PendingEntry } from '../window/pending-entry.ts';
import type { Window } from '../window/window.ts';

/** A shard whose entries may be attempted, for as long as its lease is held. */
export interface AttemptSource {
  readonly stream: string;
  readonly window: Window;
  /** Whether its lease has ended, so that results of its entries change nothing any more. */
  readonly isOver: boolean;
  /** Whether attempts may start from it now: its lease is certainly held, and it is not being given back. */
  isActive(now: number): boolean;
}

interface AttemptState<S extends AttemptSource> {
  readonly source: S;
  readonly kind: Kind;
  readonly startedAt: number;
  /** Its number in the breaker's count. */
  readonly begunAs: number;
  /** Whether its key is fresh: not known to fail. */
  readonly isFresh: boolean;
}

/** An attempt of a suspect, while nothing else is in flight. Its body is claimed only then. */
export interface IsolatedAttempt<S extends AttemptSource = AttemptSource> extends AttemptState<S> {
  readonly isIsolated: true;
  readonly entries: readonly [PendingEntry];
}

/** An entry, or a batch. */
export interface LoadedAttempt<S extends AttemptSource = AttemptSource> extends AttemptState<S> {
  readonly isIsolated: false;
  readonly entries: readonly [LoadedEntry, ...LoadedEntry[]];
}

/** An entry, or a batch, at the target. */
export type Attempt<S extends AttemptSource = AttemptSource> = IsolatedAttempt<S> | LoadedAttempt<S>;
