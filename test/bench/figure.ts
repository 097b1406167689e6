import type { Bench } from './fixture.ts';
import { intervalOf, median } from './rounds.ts';

/** What was measured for one line of targets.json. */
export interface Reading {
  /** Its name in targets.json. */
  readonly id: string;
  /** One value a round. */
  readonly values: readonly number[];
}

/** How wide an interval may be before its figure is measured again, as a share of its median. */
const WIDE = 0.05;

/** Measures a figure, or some that share their rounds. */
export interface Figure {
  /** For `--only`. */
  readonly name: string;
  /** What it measures, by their names in targets.json. */
  readonly ids: readonly string[];
  /**
   * How often it is measured at most, all values together, while an interval is wider than `wide`. Default 1. The width
   * alone decides, so that no target has a say in when to stop.
   */
  readonly most?: number;
  /** How wide an interval may be, as a share of its median. Default 0.05. */
  readonly wide?: number;
  measure(bench: Bench): Promise<Reading[]>;
}

/** Measures a figure as often as it takes to be sure of it, or as it may be. */
export async function readingsOf(figure: Figure, bench: Bench): Promise<Reading[]> {
  const most = bench.isQuick ? 1 : (figure.most ?? 1);
  let readings = await figure.measure(bench);
  for (let times = 1; times < most && readings.some((reading) => isUnsure(reading, figure)); times++) {
    const more = await figure.measure(bench);
    readings = readings.map(({ id, values }, at) => ({ id, values: [...values, ...more[at]!.values] }));
  }
  return readings;
}

function isUnsure({ values }: Reading, { wide = WIDE }: Figure): boolean {
  const [low, high] = intervalOf(values);
  return high - low > wide * median(values);
}
