import type { DeadLetter } from '../dead-letters/letter.ts';
import type { PendingEntry } from './pending-entry.ts';

/** How long outcomes wait for others, at most, in milliseconds. */
const SEND_AFTER_MS = 3;

/** An entry to bury. */
export interface Burial {
  readonly pending: PendingEntry;
  readonly key: string;
  readonly letter: DeadLetter;
}

/** The outcomes to send to the server. */
export interface ToSend {
  /** Processed entries to acknowledge. Their keys wait for that. */
  readonly taken: readonly PendingEntry[];
  /** Failed entries that stay pending. */
  readonly failed: readonly PendingEntry[];
  /** Delivered entries that will not be attempted soon, to give back unchanged. */
  readonly held: readonly PendingEntry[];
  /** Entries to bury. Their keys wait for that. */
  readonly burials: readonly Burial[];
  /** Ids of entries that seem to be deleted, to acknowledge if they are. */
  readonly missing: readonly string[];
}

/** Collects outcomes, so that many travel to the server in one packet. */
export class Outcomes {
  #taken: PendingEntry[] = [];
  readonly #failed = new Set<PendingEntry>();
  #held: PendingEntry[] = [];
  #burials: Burial[] = [];
  #missing: string[] = [];
  #sendAt = Infinity;
  /** Whether some acknowledgements are on their way. */
  isSending = false;

  get size(): number {
    return this.#taken.length + this.#failed.size + this.#held.length + this.#burials.length + this.#missing.length;
  }

  /** Whether the server knows all outcomes. */
  get isEmpty(): boolean {
    return this.size === 0 && !this.isSending;
  }

  /** When they must be sent; Infinity while there are none. */
  get sendAt(): number {
    return this.#sendAt;
  }

  taken(pending: PendingEntry): void {
    this.#taken.push(pending);
  }

  failed(pending: PendingEntry): void {
    this.#failed.add(pending);
  }

  hold(entries: readonly PendingEntry[]): void {
    for (const pending of entries) this.#held.push(pending);
  }

  bury(burial: Burial): void {
    this.#burials.push(burial);
  }

  missing(id: string): void {
    this.#missing.push(id);
  }

  /** Whether to send them now: because it is time, or because something else is sent anyway. */
  isDue(now: number, isSendingAnyway: boolean): boolean {
    if (this.size === 0) this.#sendAt = Infinity;
    else if (this.#sendAt === Infinity) this.#sendAt = now + SEND_AFTER_MS;
    return this.size > 0 && !this.isSending && (isSendingAnyway || now >= this.#sendAt);
  }

  /** Returns the outcomes to send. */
  take(): ToSend {
    const toSend = {
      taken: this.#taken,
      failed: [...this.#failed],
      held: this.#held,
      burials: this.#burials,
      missing: this.#missing,
    };
    this.#taken = [];
    this.#held = [];
    this.#burials = [];
    this.#missing = [];
    this.#failed.clear();
    this.#sendAt = Infinity;
    this.isSending = true;
    return toSend;
  }

  /** The last outcomes may not have arrived; sends them again, which does no harm. */
  restore({ taken = [], failed = [], missing = [] }: Partial<ToSend>): void {
    this.#taken = [...taken, ...this.#taken];
    for (const pending of failed) this.#failed.add(pending);
    this.#missing = [...missing, ...this.#missing];
  }
}
