import { systemClock, type Clock } from './clock.ts';
import type { Progress } from './group/group.ts';
import { Counts, healthOf, reportOf, type Health, type Report } from './report.ts';
import { Run, type RunOptions } from './run.ts';

export interface ConsumeOptions extends Omit<RunOptions, 'counts' | 'clock' | 'startedAt'> {
  /** Default: system time. */
  clock?: Clock;
  /** Starts the next run, when this one reaches its deadline with entries unread. A failure is logged. */
  startSuccessor?: () => Promise<void>;
}

export interface Consumed {
  report: Report;
  health: Health;
  /** The pending entries, notes and dead letters of each shard, counted. */
  shards: readonly ({ stream: string } & Pick<Progress, 'pending' | 'notes' | 'deadLetters'>)[];
  /** Redis' error for a shard that it refuses. The run processed the others. */
  error: Error | undefined;
}

/**
 * One run of the consumer: takes the leases of shards that have work, carries their entries to the target until nothing
 * is left or its time is over, and gives the leases back.
 *
 * @throws Redis' error if the whole run failed; earlier acknowledgements stand.
 */
export async function consume(options: ConsumeOptions): Promise<Consumed> {
  const { clock = systemClock, startSuccessor, ...runOptions } = options;
  const counts = new Counts();
  const run = new Run({ ...runOptions, clock, counts, startedAt: clock.now() });
  await run.carry();
  const ends = await run.ends(); // before the successor, which may take the rest of the time
  if (run.needsSuccessor && startSuccessor) {
    await startSuccessor().catch((error: unknown) => runOptions.log.warn('successor not started', { error }));
  }
  const health = healthOf(ends, run.breakerLevel, clock);
  const shards = ends.map(({ stream, progress: { pending, notes, deadLetters } }) => ({
    stream,
    pending,
    notes,
    deadLetters,
  }));
  return { report: reportOf(counts, ends, clock), health, shards, error: run.shardError };
}
