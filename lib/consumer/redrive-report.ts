import { isoTime } from '../core/iso-time.ts';
import type { Redriven, RedriveReport as Report } from '../contract/redrive-parameters.ts';
import type { Letter } from './dead-letters.ts';
import { compareIds } from './entry.ts';
import type { Outcome } from './redrive-move.ts';

/** Superseded letters, and those that cannot go, that are listed; the rest are counted. */
const MAX_STAYING = 1000;
const MAX_STAYING_BYTES = 1024 * 1024;
/** A response has 6 MB: what is left of them for those that go, and half a megabyte for all around the list. */
const MAX_BYTES = 4.5 * 1024 * 1024;
/** Longest id of an entry, in characters. */
const ID_LENGTH = 41;

/** What a redrive reports. It takes a place for each letter before that is moved, so that it can report all. */
export class RedriveReport {
  readonly #count: number;
  readonly #entries: Redriven[] = [];
  #bytes = 0;
  #going = 0;
  #staying = { count: 0, bytes: 0 };
  #superseded = 0;
  #isEnded = false;
  /** Letters that were put back. */
  moved = 0;

  constructor({ count }: { count: number }) {
    this.#count = count;
  }

  /** Whether no more letters can go. */
  get isFull(): boolean {
    return this.#isEnded || this.#going >= this.#count;
  }

  /** No more letters go. */
  end(): void {
    this.#isEnded = true;
  }

  /** Takes a place for a letter. Returns whether there is one. */
  reserve(letter: Letter): boolean {
    const bytes = sizeOf(entryOf(letter, 'moved', '9'.repeat(ID_LENGTH)));
    if (this.#bytes + bytes > MAX_BYTES) this.end();
    if (this.isFull) return false;
    this.#going++;
    this.#bytes += bytes;
    return true;
  }

  /** What became of a letter that had a place. */
  settle(letter: Letter, outcome: Outcome, id: string): void {
    if (outcome === 'moved') this.moved++;
    if (outcome === 'moved' || outcome === 'listed') {
      this.#entries.push(entryOf(letter, outcome, id));
      return;
    }
    this.#going--;
    if (outcome !== 'gone') this.stay(letter, outcome);
  }

  /** A letter stays where it is. The first are listed. */
  stay(letter: Letter, outcome: Outcome): void {
    if (outcome === 'superseded') this.#superseded++;
    const entry = entryOf(letter, outcome);
    const staying = this.#staying;
    staying.bytes += sizeOf(entry);
    if (++staying.count <= MAX_STAYING && staying.bytes <= MAX_STAYING_BYTES) this.#entries.push(entry);
  }

  with(remaining: number): Report {
    const entries = this.#entries.sort((a, b) => compareIds(a.id, b.id));
    return { redriven: this.moved, superseded: this.#superseded, remaining, entries };
  }
}

function entryOf(letter: Letter, outcome: Outcome, redrivenAs?: string): Redriven {
  const { id, sourceId, reason, errorType, deliveries, time } = letter;
  return {
    ...{ id, sourceId, reason, errorType, deliveries, time: isoTime(time) },
    ...{ superseded: outcome === 'superseded', redrivenAs: outcome === 'moved' ? redrivenAs! : null },
  };
}

/** As it travels: API Gateway's response is JSON within JSON. */
const sizeOf = (entry: Redriven) => Buffer.byteLength(JSON.stringify(JSON.stringify(entry)));
