import type { Burial } from '../group/group.ts';
import type { PendingEntry } from './pending-entry.ts';

/** How long results wait for others, at most, in milliseconds. */
const SEND_AFTER_MS = 3;

/** A burial, and the entry of the window that it removes. */
export interface PendingBurial extends Burial {
  readonly pending: PendingEntry;
}

/** The results to send to the server. */
export interface ToSend {
  /** Processed entries to acknowledge. Their keys wait for that. */
  readonly processed: readonly PendingEntry[];
  /** Failed entries that stay pending. */
  readonly failed: readonly PendingEntry[];
  /** Delivered entries that will not be attempted soon, to give back unchanged. */
  readonly unstarted: readonly PendingEntry[];
  /** Entries to bury. Their keys wait for that. */
  readonly burials: readonly PendingBurial[];
  /** Ids of entries that seem to be deleted, to acknowledge if they are. */
  readonly missing: readonly string[];
}

/** Collects results, so that many travel to the server in one packet. */
export class UnsentResults {
  #processed: PendingEntry[] = [];
  readonly #failed = new Set<PendingEntry>();
  #unstarted: PendingEntry[] = [];
  #burials: PendingBurial[] = [];
  #missing: string[] = [];
  #sendAt = Infinity;
  /** Whether some acknowledgements are on their way. */
  isSending = false;

  get size(): number {
    return (
      this.#processed.length + this.#failed.size + this.#unstarted.length + this.#burials.length + this.#missing.length
    );
  }

  /** Whether the server knows all results. */
  get isEmpty(): boolean {
    return this.size === 0 && !this.isSending;
  }

  /** When they must be sent; Infinity while there are none. */
  get sendAt(): number {
    return this.#sendAt;
  }

  processed(pending: PendingEntry): void {
    this.#processed.push(pending);
  }

  failed(pending: PendingEntry): void {
    this.#failed.add(pending);
  }

  giveBack(entries: readonly PendingEntry[]): void {
    for (const pending of entries) this.#unstarted.push(pending);
  }

  bury(burial: PendingBurial): void {
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

  /** Returns the results to send. */
  take(): ToSend {
    const toSend = {
      processed: this.#processed,
      failed: [...this.#failed],
      unstarted: this.#unstarted,
      burials: this.#burials,
      missing: this.#missing,
    };
    this.#processed = [];
    this.#unstarted = [];
    this.#burials = [];
    this.#missing = [];
    this.#failed.clear();
    this.#sendAt = Infinity;
    this.isSending = true;
    return toSend;
  }

  /** The last results may not have arrived; sends them again, which does no harm. */
  restore({ processed = [], failed = [], unstarted = [], missing = [] }: Partial<ToSend>): void {
    this.#processed = [...processed, ...this.#processed];
    this.#unstarted = [...unstarted, ...this.#unstarted];
    for (const pending of failed) this.#failed.add(pending);
    this.#missing = [...missing, ...this.#missing];
  }
}
