import type { Clock } from './clock.ts';
import { addedAt } from './entry.ts';
import { isNoGroup, type Group, type Progress } from './group.ts';

/** Why a run ended. */
export type StopReason =
  /** Nothing is left that could be done within the next seconds. */
  | 'drained'
  /** Its time is over. */
  | 'deadline'
  /** Another run is active. */
  | 'lease-held'
  /** It was paused, or cut off from Redis, for longer than its lease: another run may be active. */
  | 'lease-lost'
  /** The target is out of service, or asked for rest: the rest of the stream is left unread. */
  | 'upstream-unavailable'
  /** So many entries are pending that nothing new is read, and none of them is due. */
  | 'backpressure'
  /** Its group was destroyed a second time under it. */
  | 'group-destroyed'
  /** Redis failed under it; the invocation fails with its error. */
  | 'failed';

/** What a run counts. */
export class Counts {
  /** New entries delivered. */
  read = 0;
  /** Entries that the target took. */
  processed = 0;
  /** Attempts that failed and leave their entry pending. */
  failed = 0;
  /** Entries given up. */
  deadLettered = 0;
  /** Entries of earlier runs taken up again. */
  recovered = 0;
  /** Pending entries whose body had been deleted. */
  deleted = 0;
  /** Groups that had to be made. */
  groupsCreated = 0;
}

/** What a run did, and where it leaves its group. */
export interface Report extends Counts {
  pending: number;
  /** Entries not yet delivered; null where the server cannot tell. */
  lag: number | null;
  /** Age of the oldest pending entry in milliseconds, 0 where none is. */
  oldestPendingMs: number;
  stoppedBecause: StopReason;
}

const NOWHERE: Progress = { pending: 0, lag: 0, oldestId: null };

/** The report of a run that ends now. */
export async function reportOf(
  group: Group,
  counts: Counts,
  clock: Clock,
  stoppedBecause: StopReason,
): Promise<Report> {
  const { pending, lag, oldestId } = await group.progress().catch((error) => {
    if (isNoGroup(error)) return NOWHERE;
    throw error;
  });
  const oldestPendingMs = oldestId === null ? 0 : Math.max(0, clock.epochMs() - addedAt(oldestId));
  return { ...counts, pending, lag, oldestPendingMs, stoppedBecause };
}
