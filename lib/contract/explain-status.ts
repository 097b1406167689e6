import type { GroupStatus } from './parameters/status.ts';

/**
 * What is stuck on a shard, since when, why, and what happens next; undefined if nothing failed.
 *
 * @param now milliseconds since 1970
 * @example
 * explainStatus(row, Date.now());
 * // '3 entries wait, the oldest for 4 min: orders failed (LAMBDA:Unhandled: …). The next try is due in 12 s.'
 */
export function explainStatus(row: Failing, now: number): string | undefined {
  const { lastFailure, oldestPendingMs } = row;
  if (!lastFailure) return undefined;
  const { entries, target, type, detail } = lastFailure;
  const age = oldestPendingMs === null ? '' : `, the oldest for ${formatMs(oldestPendingMs)}`;
  const waiting = entries === 1 ? '1 entry waits' : `${entries} entries wait`;
  return `${waiting}${age}: ${target} failed (${type}: ${detail.replace(/\.$/, '')}). ${nextStep(row, now)}.`;
}

type Failing = Pick<GroupStatus, 'lastFailure' | 'oldestPendingMs' | 'nextTryAt' | 'restMs' | 'run' | 'pausedUntil'>;

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
