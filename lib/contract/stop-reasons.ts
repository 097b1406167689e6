/** Why a run, or its work on a shard, ended. A run reports the first of these that any shard has. */
export const STOP_REASONS = [
  /** The group was destroyed for the second time during the run. */
  'group-destroyed',
  /** The run was stopped, or cut off from Redis, for longer than its lease; or the lease was taken away. */
  'lease-lost',
  /** The run has no time left. */
  'deadline',
  /** An operator paused the group. */
  'paused',
  /** The target refused every entry. It rests, and the rest of the stream is unread. */
  'target-refuses',
  /** The target is out of service, or asked for a pause. The rest of the stream is unread. */
  'upstream-unavailable',
  /**
   * `ratePerSecond` allows no more calls in its time; or too many entries are pending to read new ones, and none is
   * due.
   */
  'backpressure',
  /** Entries wait for another try after a failure, and the run processed none. Nothing else is left to do. */
  'failing',
  /** Nothing is left to do within the next seconds. */
  'drained',
  /** Another run is active. */
  'lease-held',
] as const;

export type StopReason = (typeof STOP_REASONS)[number];
