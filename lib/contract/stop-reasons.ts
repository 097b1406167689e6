/** Why a run, or its work on a shard, ended; the first of these that any shard has is reported. */
export const STOP_REASONS = [
  /** Its group was destroyed a second time under it. */
  'group-destroyed',
  /** It was stopped, or cut off from Redis, for longer than its lease, or the lease was taken away. */
  'lease-lost',
  /** Its time is over. */
  'deadline',
  /** An operator has paused the group. */
  'paused',
  /** The target refused every entry: it is left alone for a while, the rest of the stream is unread. */
  'target-refuses',
  /** The target is out of service, or asked for rest: the rest of the stream is unread. */
  'upstream-unavailable',
  /** So many entries are pending that nothing new is read, and none of them is due. */
  'backpressure',
  /** Nothing is left that could be done within the next seconds. */
  'drained',
  /** Another run is active. */
  'lease-held',
] as const;

export type StopReason = (typeof STOP_REASONS)[number];
