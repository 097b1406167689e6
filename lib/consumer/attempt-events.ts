import type { StopReason } from '../contract/stop-reasons.ts';
import type { Shard } from './shard.ts';

/** Why the target is left alone. */
export type RestReason = Extract<StopReason, 'upstream-unavailable' | 'target-refuses'>;

/** What the attempts ask and report. */
export interface AttemptEvents {
  /** The shards that attempts may start from, the one that is served first in front. */
  active(): readonly Shard[];
  mayStart(now: number): boolean;
  /** The target asked to be left alone for so long, or is left alone because it is out of service. */
  rest(ms: number, reason: RestReason): void;
  level(level: number): void;
}
