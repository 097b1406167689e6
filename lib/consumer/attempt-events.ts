import type { Shard } from './shard.ts';

/** What the attempts ask and report. */
export interface AttemptEvents {
  /** The shards that attempts may start from, the one that is served first in front. */
  active(): readonly Shard[];
  mayStart(now: number): boolean;
  /** Something has changed that the run should look at. */
  changed(): void;
  /** The target asked to be left alone for so long, or is left alone because it is out of service. */
  rest(ms: number, reason: 'upstream-unavailable' | 'target-refuses'): void;
  level(level: number): void;
}
