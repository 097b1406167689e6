import type { GroupStatus } from './parameters/status.ts';

/**
 * What is stuck on a shard, since when, why, and what happens next; undefined if nothing is.
 *
 * @param now milliseconds since 1970
 * @example
 * explainStatus(row, Date.now());
 * // '3 entries wait, the oldest for 4 min: orders failed (LAMBDA:Unhandled: …). The next try is due in 12 s.'
 */
export function explainStatus(row: Stuck, now: number): string | undefined {
  const sentences = [explainFailure(row, now) ?? explainWait(row, now), explainClock(row)];
  return sentences.filter((sentence) => sentence !== undefined).join(' ') || undefined;
}

function explainFailure(row: Stuck, now: number): string | undefined {
  const { lastFailure, oldestPendingMs } = row;
  if (!lastFailure) return undefined;
  const { entries, target, type, detail } = lastFailure;
  const reason = `${target} failed (${type}: ${detail.replace(/\.$/, '')})`;
  return `${waiting(entries, oldestPendingMs)}: ${reason}. ${nextStep(row, now)}.`;
}

/** Why entries wait that did not fail: nobody may work on them, or nobody does. */
function explainWait(row: Stuck, now: number): string | undefined {
  const { run, restMs, lag, pending, oldestUnreadMs, oldestPendingMs, groupExists } = row;
  const count = (lag ?? 0) + pending;
  const oldestMs = Math.max(oldestUnreadMs ?? 0, oldestPendingMs ?? 0);
  if (count === 0 || oldestMs === 0) return undefined;
  const waits = waiting(count, oldestMs);
  // an older deployment does not say
  if (groupExists === false) return `${waits}: there is no such group. The first run of its consumer creates it.`;
  if (run === 'paused' || restMs > 0) return `${waits}. ${nextStep(row, now)}.`;
  if (run === 'active' || oldestMs < IDLE_TOO_LONG_MS) return undefined;
  return `${waits}: no run is active. The schedule or the next enqueue starts one.`;
}

function waiting(count: number, oldestMs: number | null): string {
  const age = oldestMs === null ? '' : `, the oldest for ${formatMs(oldestMs)}`;
  return `${count === 1 ? '1 entry waits' : `${count} entries wait`}${age}`;
}

function explainClock({ clockAheadMs }: Stuck): string | undefined {
  if (typeof clockAheadMs !== 'number') return undefined; // an older deployment does not say
  const differs = `${formatMs(Math.abs(clockAheadMs))} ${clockAheadMs < 0 ? 'behind' : 'ahead of'}`;
  return `The function's clock is ${differs} that of Redis: set both by NTP.`;
}

type Failing = Pick<GroupStatus, 'lastFailure' | 'oldestPendingMs' | 'nextTryAt' | 'restMs' | 'run' | 'pausedUntil'>;
type Stuck = Failing & Pick<GroupStatus, 'groupExists' | 'lag' | 'pending' | 'oldestUnreadMs' | 'clockAheadMs'>;

/** Two schedules of a minute. */
const IDLE_TOO_LONG_MS = 120_000;

function nextStep({ run, pausedUntil, restMs, nextTryAt }: Failing, now: number): string {
  if (run === 'paused') return `The group is paused${pausedUntil === null ? '' : ` until ${pausedUntil}`}`;
  if (restMs > 0) return `The target rests for another ${formatMs(restMs)}, then a run probes it`;
  const leftMs = nextTryAt === null ? 0 : Date.parse(nextTryAt) - now;
  if (leftMs > 0) return `The next try is due in ${formatMs(leftMs)}`;
  return run === 'active' ? 'The active run tries again' : 'The next run tries again';
}

const UNITS = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1000, 's'],
] as const;

/** `4 min`, in the largest unit that fits. */
export function formatMs(ms: number): string {
  const [size, unit] = UNITS.find(([size]) => ms >= size) ?? [1, 'ms'];
  return `${Math.floor(ms / size)} ${unit}`;
}
