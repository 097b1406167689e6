import type { FailureKind } from '../targets/failure.ts';

/** After this many fresh keys fail in a row, without a success, the target is in doubt. */
const FAILURES_IN_A_ROW = 5;
/** Maximum undecided failures. Of more, the oldest are their entries'. */
const MAX_ROW = 1000;
const DECIDED_AT_A_TIME = 100;
const FIRST_REST_MS = 1000;
const MAX_REST_MS = 60_000;
const MAX_REFUSED_REST_MS = 900_000;

/** An undecided failure. */
export interface Undecided<T> {
  readonly item: T;
  readonly kind: FailureKind;
  /** Whether its key is not known to fail. */
  readonly isFresh: boolean;
  /** The pause that the target asked for, in milliseconds. */
  readonly retryAfterMs: number;
  readonly order: number;
}

/** Whose fault failures were: their entries' (others succeeded since), the target's, or unknown. */
export type Verdict = 'entry' | 'target' | 'unknown';

export interface BreakerEvents<T> {
  decided(failures: readonly Undecided<T>[], verdict: Verdict): void;
  /** The target is out of service and rests. `isRefused`: it only refused. */
  opened(restMs: number, isRefused: boolean): void;
}

/**
 * Distinguishes faults of entries from those of their target. A failure is its entry's once a later attempt on another
 * key succeeds; it is the target's once several fresh keys failed in a row and none succeeded. See docs/decisions/0008.
 *
 * An attempt on a key that is known to fail says nothing about the target: it is no probe, nothing waits for it,
 * and it does not raise the level.
 */
export class Breaker<T> {
  readonly #refusalLimit: number;
  readonly #events: BreakerEvents<T>;
  #row: Undecided<T>[] = [];
  #order = 0;
  #freshFailures = 0;
  #freshRefusals = 0;
  /**
   * `closed`: full speed. `doubt`: nothing starts until no fresh key is in flight. `half`: a few attempts at a time.
   */
  #mode: 'closed' | 'doubt' | 'half' = 'closed';
  #level = 0;
  #hasSucceeded = false;
  /** Attempts in flight. */
  readonly #inFlight = { fresh: 0, known: 0 };
  /** Probes started, and failures since only probes may start. */
  #probes = 0;
  readonly #failed = { fresh: 0, known: 0 };

  constructor(refusalLimit: number, events: BreakerEvents<T>) {
    this.#refusalLimit = refusalLimit;
    this.#events = events;
  }

  get mode(): 'closed' | 'doubt' | 'half' {
    return this.#mode;
  }

  /** How often it has opened since the last success. */
  get level(): number {
    return this.#level;
  }

  /** Takes over the level of earlier runs, unless this run knows better. */
  remember(level: number): void {
    if (this.#hasSucceeded || level <= this.#level) return;
    this.#level = level;
    if (this.#mode === 'closed') this.#mode = 'half';
  }

  /** Number of attempts that may start. */
  freeSlots(concurrency: number): number {
    const { fresh, known } = this.#inFlight;
    const free = concurrency - fresh - known;
    if (this.#mode === 'closed') return free;
    if (this.#mode === 'doubt' && fresh > 0) return 0;
    this.#mode = 'half';
    return Math.min(2 ** Math.max(0, this.#level - 1) - this.#probes, free);
  }

  /** Whether an attempt may start on a key that failed before. While probing, one at a time may. */
  get mayProbeKnown(): boolean {
    return this.#mode === 'closed' || this.#inFlight.known === 0;
  }

  /**
   * An attempt begins.
   *
   * @param isFresh whether its key is not known to fail
   * @returns the number to report its success with
   */
  begin(isFresh: boolean): number {
    if (this.#mode === 'half' && isFresh) this.#probes++;
    this.#inFlight[isFresh ? 'fresh' : 'known']++;
    return ++this.#order;
  }

  succeeded(begunAs: number): void {
    this.#hasSucceeded = true;
    if (this.#mode === 'closed' && this.#row.length === 0) return;
    const decided = this.#row.filter(({ order }) => order < begunAs);
    if (this.#mode !== 'half' && decided.length === 0) return; // it began before any of them failed
    this.#remove(decided, this.#row.slice(decided.length));
    this.#mode = 'closed';
    this.#level = 0;
    this.#forgetProbes();
    this.#events.decided(decided, 'entry');
  }

  failed(failure: Omit<Undecided<T>, 'order'>): void {
    this.#row.push({ ...failure, order: ++this.#order });
    if (this.#mode === 'half') this.#failed[failure.isFresh ? 'fresh' : 'known']++;
    if (failure.isFresh && isRefusal(failure)) this.#freshRefusals++;
    else if (failure.isFresh) this.#freshFailures++;
    if (this.#row.length > MAX_ROW) this.#decideOldest();
    const isRefused = this.#refusalLimit > 0 && this.#freshRefusals >= this.#refusalLimit;
    if (this.#mode === 'closed' && (isRefused || this.#freshFailures >= FAILURES_IN_A_ROW)) this.#mode = 'doubt';
  }

  /** An attempt ended, after its result was reported. If the last probe failed, the target is out of service. */
  ended(isFresh: boolean): void {
    this.#inFlight[isFresh ? 'fresh' : 'known']--;
    if (this.#inFlight.fresh > 0) return;
    const { fresh, known } = this.#failed;
    this.#forgetProbes(); // without a failure, there were none, or they never reached the target
    if (fresh + known === 0) return;
    const row = this.#row;
    const isRefused = row.every(isRefusal);
    const longest = isRefused ? MAX_REFUSED_REST_MS : MAX_REST_MS;
    const asked = Math.max(0, ...row.map(({ retryAfterMs }) => retryAfterMs));
    if (fresh > 0 || this.#level === 0) this.#level++;
    this.#remove(row, []);
    this.#events.decided(row, 'target');
    this.#events.opened(Math.max(asked, Math.min(FIRST_REST_MS * 2 ** (this.#level - 1), longest)), isRefused);
  }

  /** Gives up on undecided failures that meet a condition: nothing more will be known about them. */
  decide(isMeant: (failure: Undecided<T>) => boolean): void {
    const decided = this.#row.filter(isMeant);
    this.#remove(
      decided,
      this.#row.filter((failure) => !isMeant(failure)),
    );
    this.#events.decided(decided, 'unknown');
  }

  /** Decides some at a time, so that thousands of failures without a success do not each cost a look at all. */
  #decideOldest(): void {
    const decided = this.#row.slice(0, DECIDED_AT_A_TIME);
    this.#remove(decided, this.#row.slice(DECIDED_AT_A_TIME));
    this.#events.decided(decided, 'unknown');
  }

  #forgetProbes(): void {
    this.#probes = this.#failed.fresh = this.#failed.known = 0;
  }

  /** @param row the remaining failures */
  #remove(removed: readonly Undecided<T>[], row: Undecided<T>[]): void {
    this.#row = row;
    for (const failure of removed) {
      if (failure.isFresh && isRefusal(failure)) this.#freshRefusals--;
      else if (failure.isFresh) this.#freshFailures--;
    }
  }
}

const isRefusal = ({ kind }: { kind: FailureKind }): boolean => kind === 'refusal' || kind === 'permanent';
