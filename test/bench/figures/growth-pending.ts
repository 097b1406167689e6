import { ENGINE_SETTINGS } from '../carry.ts';
import type { Figure } from '../figure.ts';
import { growthExponent, interleave } from '../rounds.ts';
import type { Bench } from '../fixture.ts';
import { fillStream, groupOf, removeStreams } from '../streams.ts';

const PENDING = [100, 1_000, 10_000, 100_000];
const KEYS = 500;
const CRASHED = 'crashed';

/**
 * How the time of an entry grows with the number that a crashed run left pending, all of them to be drained. What a run
 * costs without entries is subtracted; it would hide growth.
 */
export const growthPending: Figure = {
  name: 'growth-pending',
  ids: ['growth-pending'],
  most: 4,
  isExponent: true,
  async measure(bench) {
    const ms = await interleave(
      bench.growthRounds,
      Object.fromEntries(PENDING.map((pending) => [pending, () => drainPending(bench, pending)])),
    );
    const values = Array.from({ length: bench.growthRounds }, (_, round) =>
      growthExponent(PENDING.map((pending) => [pending, ms[pending]![round]! / pending])),
    );
    return [{ id: 'growth-pending', values }];
  },
};

async function drainPending({ redis, invoke, engine }: Bench, pending: number): Promise<number> {
  const [warmUp, stream] = [await fillStream(redis, 2_000, KEYS), await fillStream(redis, pending, KEYS)];
  for (const name of [warmUp, stream]) await leavePending(redis, name);
  const names = [warmUp, stream, stream]; // the second time there is nothing left
  const { calls } = await invoke(
    engine,
    names.map((name) => ({ ...groupOf(name), ...ENGINE_SETTINGS, backoffMs: 1 })),
  );
  await removeStreams(redis, warmUp, stream);
  if ((calls[1]!.response as { recovered: number }).recovered !== pending) throw new Error(JSON.stringify(calls[1]));
  return calls[1]!.ms - calls[2]!.ms;
}

async function leavePending(redis: Bench['redis'], stream: string): Promise<void> {
  const { group } = groupOf(stream);
  const read = `redis.call('XREADGROUP', 'GROUP', ARGV[1], ARGV[2], 'STREAMS', KEYS[1], '>')`;
  await redis.command('EVAL', read, '1', stream, group, CRASHED);
}
