import type { Reading } from './figure.ts';
import { intervalOf, median } from './rounds.ts';
import targets from './targets.json' with { type: 'json' };

export interface TargetFigure {
  figure: string;
  against?: string;
  bound: string;
  /** What the median must reach. */
  target: number;
}

/** A figure as it is shown and kept. */
export interface Result extends TargetFigure {
  readonly id: string;
  /** The median of the rounds. */
  readonly value: number;
  /** Its noise: where the true median lies with a confidence of 95 %; of less than six rounds, all of them. */
  readonly spread: readonly [low: number, high: number];
  readonly rounds: number;
  readonly meets: boolean;
}

/** Judges the median of a reading by its target. */
export function judge({ id, values }: Reading): Result {
  const target: TargetFigure | undefined = (targets as Record<string, TargetFigure>)[id];
  if (!target) throw new Error(`targets.json knows no ${id}`);
  const [low, high] = intervalOf(values).map(round) as [number, number];
  const value = round(median(values));
  return {
    id,
    ...target,
    value,
    spread: [low, high],
    rounds: values.length,
    meets: target.bound === 'at most' ? value <= target.target : value >= target.target,
  };
}

/** Three digits carry over to another run, if that. */
const round = (value: number) => (Math.abs(value) < 1 ? Number(value.toFixed(3)) : Number(value.toPrecision(3)));
