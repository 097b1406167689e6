/**
 * Puts a name into the slot of a stream, so that one script may use both on a cluster. This is impossible if the
 * stream's name has a `}` and no hash tag; a cluster then refuses the scripts.
 */
function inSlotOf(stream: string, name: string): string {
  return hasHashTag(stream) ? `${stream}:${name}` : `{${stream}}:${name}`;
}

/** Whether a key has a hash tag: a part between its first `{` and the next `}`, which alone decides the slot. */
function hasHashTag(key: string): boolean {
  return /^[^{]*\{[^}]+\}/.test(key);
}

export const deadLetterStreamOf = (stream: string, group: string) => inSlotOf(stream, `dead:${group}`);

/** The lease, held by the one active run of a group. */
export const leaseKeyOf = (stream: string, group: string) => inSlotOf(stream, `lease:${group}`);

/** The fence: lives as long as the lease with this token; see `read` of the group. */
export const fenceKeyOf = (stream: string, group: string, token: string) => inSlotOf(stream, `fence:${group}:${token}`);

/** The target's rest: while it lives, no run calls the target (open breaker, Retry-After). */
export const restKeyOf = (stream: string, group: string) => inSlotOf(stream, `rest:${group}`);

/** The operator's pause: while it lives, no run starts. Holds its end in epoch milliseconds. */
export const pauseKeyOf = (stream: string, group: string) => inSlotOf(stream, `pause:${group}`);

/**
 * Hash of the rate that all runs of a group share. Fields: `due` = when the next call to the target may start, in
 * microseconds since 1970; `perSecond` = the rate that was used last.
 *
 * @param stream any shard: `<stream>:0` and on share one rate, whether a run is for all of them or for one
 */
export const rateKeyOf = (stream: string, group: string) => inSlotOf(stream.replace(/:\d+$/, ''), `rate:${group}`);

/** Set by the enqueue that wakes the consumer, so that others do not; deleted by the run that takes the lease. */
export const wakeKeyOf = (stream: string, group: string) => inSlotOf(stream, `wake:${group}`);

/** Remembers an enqueue by the hash of its idempotency key: the digest of its entries, and their ids. */
export const idempotencyKeyOf = (stream: string, hash: string) => inSlotOf(stream, `idempotency:${hash}`);

/**
 * Hash of failing entries and of the breaker. Losing it restarts counts, never entries.
 *
 * Fields: `e:<id>` = own failures, outages and due time of an entry; `c:<id>` = crashes of an entry; `alone` = the
 * entry that is tried alone now; `level` = how often in a row the breaker opened (0: closed).
 */
export const stateKeyOf = (stream: string, group: string) => inSlotOf(stream, `state:${group}`);

/** Hash of notes about later entries by ordering key, while the group has dead letters: see `dead-letters/notes.ts`. */
export const supersededKeyOf = (stream: string, group: string) => inSlotOf(stream, `superseded:${group}`);
