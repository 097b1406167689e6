import type { Log } from '../core/log.ts';
import { systemClock, type Clock } from './clock.ts';
import type { Group } from './group/group.ts';
import { Counts, healthOf, reportOf, type Health, type Report } from './report.ts';
import { Run } from './run.ts';
import type { Settings } from './settings.ts';
import type { Target } from './targets/target.ts';

export interface ConsumerParts {
  /** Each shard, and its group. */
  shards: readonly { stream: string; group: Group }[];
  target: Target;
  settings: Settings;
  log: Log;
  /** Hears of what each attempt failed with. */
  countFailure?: (error: unknown) => void;
  /** Default: the time of the system. */
  clock?: Clock;
  /** Starts the next run: called when this one ends by its deadline with entries unread. Its failure is logged. */
  startSuccessor?: () => Promise<void>;
}

export interface Consumed {
  report: Report;
  health: Health;
  /** What Redis refused, where it refuses to work on one of the shards. The others were carried all the same. */
  error: Error | undefined;
}

/**
 * One run of the consumer: takes the leases of shards that have work, carries entries from them to the target until
 * nothing is left to do or its time is over, and gives the leases back.
 *
 * @throws what Redis answered where it failed under the whole run; what was acknowledged by then is.
 */
export async function consume(parts: ConsumerParts): Promise<Consumed> {
  const { clock = systemClock, startSuccessor, ...rest } = parts;
  const counts = new Counts();
  const run = new Run({ ...rest, clock, counts, startedAt: clock.now() });
  await run.carry();
  const ends = await run.ends(); // before the successor, which may take what is left of the time
  if (run.needsSuccessor && startSuccessor) {
    await startSuccessor().catch((error: unknown) => rest.log.warn('successor not started', { error }));
  }
  const health = healthOf(ends, run.breakerLevel, clock);
  return { report: reportOf(counts, ends, clock), health, error: run.shardError };
}
