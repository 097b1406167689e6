/**
 * Puts a name into the slot of a stream, so that one script may use both on a cluster. This is impossible if the
 * stream's name has a `}` and no hash tag; a cluster then refuses the scripts. `{orders}` has two colons, because
 * `{orders}:lease:g` is the lease of `orders`.
 */
function inSlotOf(stream: string, name: string): string {
  if (isHashTag(stream)) return `${stream}::${name}`;
  return hasHashTag(stream) ? `${stream}:${name}` : `{${stream}}:${name}`;
}

/** Whether the whole name of a stream is its hash tag. */
const isHashTag = (stream: string): boolean => /^\{[^}]+\}$/.test(stream);

/** The stream whose keys version 1.0 used for this one, too: `orders` for `{orders}`; undefined for most. */
export const formerlyMixedWith = (stream: string): string | undefined =>
  isHashTag(stream) ? stream.slice(1, -1) : undefined;

/** Whether a key has a hash tag: a part between its first `{` and the next `}`, which alone decides the slot. */
function hasHashTag(key: string): boolean {
  return /^[^{]*\{[^}]+\}/.test(key);
}

export const deadLetterStreamOf = (stream: string, group: string) => inSlotOf(stream, `dead:${group}`);

/** The lease, held by the one active run of a group. Holds `<run>.<token>`; a run of version 1.0 puts a token alone. */
export const leaseKeyOf = (stream: string, group: string) => inSlotOf(stream, `lease:${group}`);

/** Set by a run that asks for a shard of another; holds that run, and its fair share. Expires within seconds. */
export const askedKeyOf = (stream: string, group: string) => inSlotOf(stream, `asked:${group}`);

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

/** Set by the run that tells of a dead letter, so that others of the group do not within a second. */
export const noticeKeyOf = (stream: string, group: string) => inSlotOf(stream.replace(/:\d+$/, ''), `notice:${group}`);

/** Remembers an enqueue by the hash of its idempotency key: the digest of its entries, and their ids. */
export const idempotencyKeyOf = (stream: string, hash: string) => inSlotOf(stream, `idempotency:${hash}`);

/**
 * Hash of failing entries and of the breaker. Losing it restarts counts, never entries.
 *
 * Fields: `e:<id>` = failures of an entry by its own and by the target's fault, and its due time; `c:<id>` = its
 * crashes; `alone` = the entry of the isolated attempt in flight, `alone-by` = the token of its run's lease; `level` =
 * how often in a row the breaker opened (0: closed).
 */
export const stateKeyOf = (stream: string, group: string) => inSlotOf(stream, `state:${group}`);

/** Hash of notes about later entries by ordering key, while the group has dead letters: see `dead-letters/notes.ts`. */
export const supersededKeyOf = (stream: string, group: string) => inSlotOf(stream, `superseded:${group}`);
