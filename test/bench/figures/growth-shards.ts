import { ENGINE_SETTINGS } from '../carry.ts';
import type { Figure } from '../figure.ts';
import type { Bench } from '../fixture.ts';
import { growthExponent, interleave } from '../rounds.ts';
import { fillShards, groupOf, removeStreams, shardsOf } from '../streams.ts';

const SHARDS = [1, 4, 16, 64, 256];
const ENTRIES_A_SHARD = 1_000;
const KEYS = 500;
/** Shards that are drained for a value, and for the warm-up. */
const LEAST_SHARDS = 32;

/**
 * How the time of an entry grows with the number of shards that one run drains, each with as many entries. What a run
 * costs that finds all of them empty is subtracted; it would hide growth.
 */
export const growthShards: Figure = {
  name: 'growth-shards',
  ids: ['growth-shards'],
  most: 4,
  isExponent: true,
  async measure(bench) {
    const ms = await interleave(
      bench.growthRounds,
      Object.fromEntries(SHARDS.map((shards) => [shards, () => drainShards(bench, shards)])),
    );
    const values = Array.from({ length: bench.growthRounds }, (_, round) =>
      growthExponent(SHARDS.map((shards) => [shards, ms[shards]![round]! / shards])),
    );
    return [{ id: 'growth-shards', values }];
  },
};

/** Milliseconds, the mean of as many streams as make `LEAST_SHARDS` together: what takes so little is measured often. */
async function drainShards({ redis, invoke, engine }: Bench, shards: number): Promise<number> {
  const warmUp = await fillShards(redis, LEAST_SHARDS, ENTRIES_A_SHARD, KEYS);
  const names: string[] = [];
  for (let filled = 0; filled < LEAST_SHARDS; filled += shards) {
    names.push(await fillShards(redis, shards, ENTRIES_A_SHARD, KEYS));
  }
  const events = names.flatMap((name) => {
    const event = { ...groupOf(name), shards, ...ENGINE_SETTINGS };
    return [event, event]; // the second time there is nothing left
  });
  const { calls } = await invoke(engine, [{ ...groupOf(warmUp), shards: LEAST_SHARDS, ...ENGINE_SETTINGS }, ...events]);
  await removeStreams(redis, ...shardsOf(warmUp, LEAST_SHARDS), ...names.flatMap((name) => shardsOf(name, shards)));
  const times = names.map((_, at) => {
    const [drained, empty] = calls.slice(1 + 2 * at);
    const { processed } = drained!.response as { processed: number };
    if (processed !== shards * ENTRIES_A_SHARD) throw new Error(JSON.stringify(drained));
    return drained!.ms - empty!.ms;
  });
  return times.reduce((sum, ms) => sum + ms, 0) / times.length;
}
