/**
 * Puts a name in the slot of a stream, so that one script may touch both on a cluster. No name can, where the stream's
 * own holds a `}` and no hash tag; a cluster then refuses the scripts.
 */
function inSlotOf(stream: string, name: string): string {
  return hasHashTag(stream) ? `${stream}:${name}` : `{${stream}}:${name}`;
}

/** Whether a cluster hashes a part of the key alone: what stands between its first `{` and the next `}`. */
function hasHashTag(key: string): boolean {
  return /^[^{]*\{[^}]+\}/.test(key);
}

/** The stream of dead letters of a group. */
export const deadLetterStreamOf = (stream: string, group: string) => inSlotOf(stream, `dead:${group}`);

/** Held by the one run that is active in a group. */
export const leaseKeyOf = (stream: string, group: string) => inSlotOf(stream, `lease:${group}`);

/** Lives as long as the lease that was taken with this token; see `read` of the group. */
export const fenceKeyOf = (stream: string, group: string, token: string) => inSlotOf(stream, `fence:${group}:${token}`);

/** The target's rest: lives as long as no run should call the target (open breaker, Retry-After). */
export const restKeyOf = (stream: string, group: string) => inSlotOf(stream, `rest:${group}`);

/** The operator's pause: holds its end in epoch milliseconds, and lives as long. No run starts meanwhile. */
export const pauseKeyOf = (stream: string, group: string) => inSlotOf(stream, `pause:${group}`);

/** Set by the enqueue that wakes the consumer, so that others need not; deleted by whoever acquires the lease. */
export const wakeKeyOf = (stream: string, group: string) => inSlotOf(stream, `wake:${group}`);

/**
 * Hash of what runs remember of failing entries and of the breaker. Losing it restarts counts, never entries.
 *
 * Fields: `e:<id>` = own failures, outages and due time of an entry; `c:<id>` = crashes of an entry; `alone` = the
 * entry that is tried alone now; `level` = how often in a row the breaker opened (0: closed).
 */
export const stateKeyOf = (stream: string, group: string) => inSlotOf(stream, `state:${group}`);

/** Hash of what came later, by ordering key, while the group has dead letters: see `dead-letters/notes.ts`. */
export const supersededKeyOf = (stream: string, group: string) => inSlotOf(stream, `superseded:${group}`);
