import type { Log } from '../core/log.ts';
import type { Clock } from './clock.ts';
import type { Counts } from './report.ts';
import type { Settings } from './settings.ts';
import type { Target } from './targets/target.ts';

/** What the parts of a run share. */
export interface RunParts {
  readonly target: Target;
  readonly settings: Settings;
  readonly counts: Counts;
  readonly clock: Clock;
  readonly log: Log;
  /** Hears of what each attempt failed with, for the alarms. */
  readonly countFailure?: (error: unknown) => void;
  readonly bodies: { bytes: number };
  /** Something has changed that the run should look at. */
  readonly changed: () => void;
}
