import type { ShardEnd, StopReason } from './report.ts';
import type { Shard } from './shard.ts';

/** Where a run leaves a shard; `stop`: why the whole run ended, where that was not for want of work. */
export async function endOf(shard: Shard, stop: StopReason | undefined): Promise<ShardEnd> {
  const { wasOwned: isServed } = shard;
  const progress = isServed ? await shard.group.look() : shard.look;
  return { progress, isServed, reason: shard.reason ?? reasonOf(shard, stop) };
}

function reasonOf({ look: { state }, isLeftEmpty, wasOwned }: Shard, stop: StopReason | undefined): StopReason {
  if (stop === 'deadline' && isLeftEmpty) return 'drained';
  if (stop && (wasOwned || state === 'work')) return stop;
  if (state === 'paused') return 'paused';
  if (state === 'resting') return 'upstream-unavailable';
  return state === 'held' ? 'lease-held' : 'drained';
}
