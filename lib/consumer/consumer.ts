import type { Log } from '../core/log.ts';
import { systemClock, type Clock } from './clock.ts';
import type { Group } from './group.ts';
import { Lease } from './lease.ts';
import { Counts, reportOf, type Report } from './report.ts';
import { Run } from './run.ts';
import type { Settings } from './settings.ts';
import type { Target } from './target.ts';

export interface ConsumerParts {
  group: Group;
  target: Target;
  settings: Settings;
  log: Log;
  /** Default: the time of the system. */
  clock?: Clock;
}

/**
 * One run of the consumer: takes the lease, carries entries from the group to the target until nothing is left to do
 * or its time is over, and gives the lease back.
 *
 * @throws what Redis answered where it failed under the run; what was acknowledged by then is.
 */
export async function consume({ clock = systemClock, ...rest }: ConsumerParts): Promise<Report> {
  const { group, settings, log } = rest;
  const counts = new Counts();
  const lease = new Lease(group, clock, settings.leaseMs);
  const acquired = await lease.acquire();
  if (acquired === 'held') return reportOf(group, counts, clock, 'lease-held');
  if (acquired === 'paused') return reportOf(group, counts, clock, 'upstream-unavailable');
  const run = new Run({ ...rest, clock, counts, lease });
  try {
    const stoppedBecause = await run.carry();
    if (settings.trim && stoppedBecause !== 'lease-lost') await group.trim();
    return await reportOf(group, counts, clock, stoppedBecause);
  } finally {
    await group.release(run.restMs).catch((error: unknown) => log.warn('lease not given back', { error }));
  }
}
