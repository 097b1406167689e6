import type { Choice } from './choice.ts';
import { listOfObjects } from './list-of-objects.ts';
import type { Shard } from './shard.ts';

/** An entry, or a batch, that is with the target. */
export interface Attempt extends Choice {
  readonly startedAt: number;
  readonly begunAs: number;
  readonly isAlone: boolean;
  /** Where it stands among those under way; -1 once it has ended. */
  place: number;
}

/** The attempts under way. A list rather than a set: this is the hot path, and order does not matter. */
export class Running {
  readonly #attempts = listOfObjects<Attempt>();

  /** How many there are. */
  get size(): number {
    return this.#attempts.length;
  }

  add(attempt: Omit<Attempt, 'place'>): Attempt {
    const { shard, items, kind, startedAt, begunAs, isAlone } = attempt;
    const added: Attempt = { shard, items, kind, startedAt, begunAs, isAlone, place: this.size };
    this.#attempts.push(added);
    return added;
  }

  /** Returns whether it was still under way. */
  end(attempt: Attempt): boolean {
    const { place } = attempt;
    if (place < 0) return false;
    const last = this.#attempts.pop()!;
    if (last !== attempt) [this.#attempts[place], last.place] = [last, place];
    attempt.place = -1;
    return true;
  }

  /** Those of one shard. */
  of(shard: Shard): Attempt[] {
    return this.#attempts.filter((attempt) => attempt.shard === shard);
  }
}
