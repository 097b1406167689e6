import type { Reading } from './figure.ts';
import { median, quantile } from './rounds.ts';
import targets from './targets.json' with { type: 'json' };

interface Target {
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
  /** What half of the rounds lie between. */
  readonly spread: readonly [low: number, high: number];
  readonly rounds: number;
  /** The most that the value meets: its ambitious target, its target, or none. */
  readonly meets: 'ambitious' | 'target' | 'none';
}

/** Judges a reading by its target. */
export function judge({ id, values }: Reading): Result {
  const target: Target | undefined = (targets as Record<string, Target>)[id];
  if (!target) throw new Error(`targets.json knows no ${id}`);
  const value = round(median(values));
  const isMet = (bound: number) => (target.bound === 'at most' ? value <= bound : value >= bound);
  return {
    id,
    ...target,
    value,
    spread: [round(quantile(values, 0.25)), round(quantile(values, 0.75))],
    rounds: values.length,
    meets: isMet(target.ambitious) ? 'ambitious' : isMet(target.target) ? 'target' : 'none',
  };
}

/** Three digits carry over to another run, if that. */
const round = (value: number) => (Math.abs(value) < 1 ? Number(value.toFixed(3)) : Number(value.toPrecision(3)));
