import type { Reading } from './figure.ts';
import { intervalOf, median } from './rounds.ts';
import targets from './targets.json' with { type: 'json' };

export interface Target {
  figure: string;
  against?: string;
  bound: string;
  target: number;
  ambitious: number;
}

/** A figure as it is shown and kept. */
export interface Result extends Target {
  readonly id: string;
  /** The median of the rounds. */
  readonly value: number;
  /** Its noise: where the true median lies with a confidence of 95 %; of less than six rounds, all of them. */
  readonly spread: readonly [low: number, high: number];
  readonly rounds: number;
  /** The most that the whole interval meets: the ambitious target, the target, or none. */
  readonly meets: 'ambitious' | 'target' | 'none';
}

/** Judges a reading by its target. An interval that spans a target does not meet it. */
export function judge({ id, values }: Reading): Result {
  const target: Target | undefined = (targets as Record<string, Target>)[id];
  if (!target) throw new Error(`targets.json knows no ${id}`);
  const [low, high] = intervalOf(values).map(round) as [number, number];
  const isMet = (bound: number) => (target.bound === 'at most' ? high <= bound : low >= bound);
  return {
    id,
    ...target,
    value: round(median(values)),
    spread: [low, high],
    rounds: values.length,
    meets: isMet(target.ambitious) ? 'ambitious' : isMet(target.target) ? 'target' : 'none',
  };
}

/** Three digits carry over to another run, if that. */
const round = (value: number) => (Math.abs(value) < 1 ? Number(value.toFixed(3)) : Number(value.toPrecision(3)));
