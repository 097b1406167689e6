import type { Outcome } from '#lib/core/errors.ts';

/** What a caller was told of a change: it was made, or the outcome of an error. */
export type Answer = 'made' | Outcome;

interface Change {
  /** Whether it may be made once at most, however often it is asked for. */
  readonly isOnce: boolean;
  readonly answers: Answer[];
}

/** The changes that callers asked for, and what they were told, against what was made of them. */
export class Changes {
  readonly #changes = new Map<string, Change>();

  ask(name: string, { isOnce }: Pick<Change, 'isOnce'>): void {
    this.#changes.set(name, { isOnce, answers: [] });
  }

  tell(name: string, answer: Answer): void {
    this.#changes.get(name)!.answers.push(answer);
  }

  /** @param madeOf how often a change was made */
  faults(madeOf: (name: string) => number): string[] {
    return [...this.#changes].flatMap(([name, { isOnce, answers }]) => {
      const made = madeOf(name);
      const told = answers.join(', ');
      if (made === 0 && answers.includes('made')) return [`${name} was not made, and its caller was told: ${told}`];
      if (made > 1 && isOnce) return [`${name} was made ${made} times, and its caller was told: ${told}`];
      const isDenied = answers.length > 0 && answers.every((one) => one === 'refused' || one === 'not-sent');
      return made > 0 && isDenied ? [`${name} was made, and its caller was told: ${told}`] : [];
    });
  }
}
