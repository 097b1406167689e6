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

/** Lives as long as the target asked to be left alone. */
export const pauseKeyOf = (stream: string, group: string) => inSlotOf(stream, `pause:${group}`);
