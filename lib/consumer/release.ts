import type { Log } from '../core/log.ts';
import type { Shard } from './shard.ts';

/** Gives all leases back where nothing is unread. Returns whether all are. */
export async function releaseDrained(shards: readonly Shard[], restMs: number): Promise<boolean> {
  const results = shards.map(async (shard) => {
    const { isFull } = shard.intake;
    const released = await shard.release({ isDrained: !isFull, restMs });
    if (isFull) shard.reason = 'backpressure';
    if (released === 'lost') shard.reason = 'lease-lost';
    if (released === 'unread') shard.intake.pollAt = -Infinity;
    return released !== 'unread';
  });
  return (await Promise.all(results)).every(Boolean);
}

/**
 * Gives back what is left, whatever state it is in, and keeps other runs away while the target is left alone. Returns
 * whether anything is unread.
 */
export async function releaseAll(shards: readonly Shard[], restMs: number, log: Log): Promise<boolean> {
  let isUnread = false;
  const results = shards.map(async (shard) => {
    if (!shard.isOwned) return restMs > 0 && !shard.reason ? shard.group.rest(restMs) : undefined;
    if ((await shard.release({ isDrained: false, restMs })) === 'released-unread') isUnread = true;
  });
  await Promise.all(results).catch((error: unknown) => log.warn('lease not given back', { error }));
  return isUnread;
}
