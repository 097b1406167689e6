/** No entry waits longer than this for its next attempt, however often it failed. */
const MAX_DELAY_MS = 60_000;

/**
 * How long an entry rests after its last delivery, in milliseconds: nothing before its first attempt, then `backoffMs`,
 * doubled with each delivery up to a minute (or `backoffMs`, where that is longer).
 */
export function delayAfter(deliveries: number, backoffMs: number): number {
  if (deliveries === 0) return 0;
  return Math.min(backoffMs * 2 ** (deliveries - 1), Math.max(MAX_DELAY_MS, backoffMs));
}
