import { ENGINE_SETTINGS } from '../carry.ts';
import type { Figure } from '../figure.ts';
import type { Bench } from '../fixture.ts';
import { growthExponent, interleave } from '../rounds.ts';
import { fillShards, groupOf, removeStreams, shardsOf } from '../streams.ts';

const SHARDS = [1, 4, 16, 64, 256];
const ENTRIES_A_SHARD = 1_000;
const KEYS = 500;

/**
 * How the time of an entry grows with the number of shards that one run drains, each with as many entries. What a run
 * costs that finds all of them empty is subtracted; it would hide growth.
 */
export const growthShards: Figure = {
  name: 'growth-shards',
  ids: ['growth-shards'],
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

async function drainShards({ redis, invoke, engine }: Bench, shards: number): Promise<number> {
  const warmUp = await fillShards(redis, 20, ENTRIES_A_SHARD, KEYS);
  const stream = await fillShards(redis, shards, ENTRIES_A_SHARD, KEYS);
  const events = [
    { ...groupOf(warmUp), shards: 20 },
    { ...groupOf(stream), shards },
    { ...groupOf(stream), shards }, // the second time there is nothing left
  ];
  const { calls } = await invoke(
    engine,
    events.map((event) => ({ ...event, ...ENGINE_SETTINGS })),
  );
  await removeStreams(redis, ...shardsOf(warmUp, 20), ...shardsOf(stream, shards));
  const { processed } = calls[1]!.response as { processed: number };
  if (processed !== shards * ENTRIES_A_SHARD) throw new Error(JSON.stringify(calls[1]));
  return calls[1]!.ms - calls[2]!.ms;
}
