import type { Log } from '../core/log.ts';
import type { Clock } from './clock.ts';
import type { Counts } from './report.ts';
import type { Settings } from './settings.ts';

/** What all parts of a run share. */
export interface RunContext {
  readonly clock: Clock;
  readonly settings: Settings;
  readonly counts: Counts;
  readonly log: Log;
  /** Wakes the run, because something has changed. */
  readonly changed: () => void;
  /** Ends the run with an error: Redis is out of reach, or the fault is ours. */
  readonly fail: (error: unknown) => void;
}
