import type { Bench } from './fixture.ts';

/** What was measured for one line of targets.json. */
export interface Reading {
  /** Its name in targets.json. */
  readonly id: string;
  /** One value a round. */
  readonly values: readonly number[];
}

/** Measures a figure, or some that share their rounds. */
export interface Figure {
  /** For `--only`. */
  readonly name: string;
  /** What it measures, by their names in targets.json. */
  readonly ids: readonly string[];
  measure(bench: Bench): Promise<Reading[]>;
}
