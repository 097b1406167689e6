import type { DeadLetter } from '../dead-letters/letter.ts';
import type { PendingEntry } from './pending-entry.ts';

/** How long outcomes wait for others to travel with, at most, in milliseconds. */
const SEND_AFTER_MS = 3;

/** An entry that is to become a dead letter. */
export interface Burial {
  readonly pending: PendingEntry;
  readonly key: string;
  readonly letter: DeadLetter;
}

/** What the server must hear. */
export interface ToSend {
  /** Taken by the target, to be acknowledged. Their keys wait for that. */
  readonly taken: readonly PendingEntry[];
  /** Failed, and still pending. */
  readonly failed: readonly PendingEntry[];
  /** Delivered, but not to be attempted soon: given back as they were. */
  readonly held: readonly PendingEntry[];
  /** To become dead letters. Their keys wait for that. */
  readonly burials: readonly Burial[];
  /** Ids of entries without a body, to be acknowledged and forgotten. */
  readonly gone: readonly string[];
}

/** The outcomes that the server has not heard yet, collected so that many travel in one packet. */
export class Outcomes {
  #taken: PendingEntry[] = [];
  readonly #failed = new Set<PendingEntry>();
  #held: PendingEntry[] = [];
  #burials: Burial[] = [];
  #gone: string[] = [];
  #sendAt = Infinity;
  /** Whether some are on their way, and not yet acknowledged. */
  isSending = false;

  get size(): number {
    return this.#taken.length + this.#failed.size + this.#held.length + this.#burials.length + this.#gone.length;
  }

  /** Whether the server has heard everything. */
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

  gone(id: string): void {
    this.#gone.push(id);
  }

  /** Whether to send them now: in time, or because something is sent anyway. */
  isDue(now: number, isSendingAnyway: boolean): boolean {
    if (this.size === 0) this.#sendAt = Infinity;
    else if (this.#sendAt === Infinity) this.#sendAt = now + SEND_AFTER_MS;
    return this.size > 0 && !this.isSending && (isSendingAnyway || now >= this.#sendAt);
  }

  /** Hands out what is to be sent. */
  take(): ToSend {
    const toSend = {
      ...{ taken: this.#taken, failed: [...this.#failed], held: this.#held },
      ...{ burials: this.#burials, gone: this.#gone },
    };
    [this.#taken, this.#held, this.#burials, this.#gone] = [[], [], [], []];
    this.#failed.clear();
    this.#sendAt = Infinity;
    this.isSending = true;
    return toSend;
  }

  /** What was handed out did not arrive, as far as is known: it is sent again, which is harmless. */
  restore({ taken = [], failed = [], gone = [] }: Partial<ToSend>): void {
    this.#taken = [...taken, ...this.#taken];
    for (const pending of failed) this.#failed.add(pending);
    this.#gone = [...gone, ...this.#gone];
  }
}
