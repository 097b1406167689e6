import { setTimeout as sleep } from 'node:timers/promises';
import type { Bench } from '../fixture.ts';
import type { Figure } from '../figure.ts';
import { interleave, quotients } from '../rounds.ts';
import { fillShards, groupOf, removeStreams, shardsOf } from '../streams.ts';

const SHARDS = 16;
const CONCURRENCY = 10;
const LATENCY_MS = 50;
const ENTRIES_A_SHARD = 1_000;
/** When the calls that the MDM receives are counted, from the start of the processes, and how long a run has. */
const [FROM_MS, TO_MS, BUDGET_MS] = [3_000, 9_000, 12_000];
const ROUNDS = 5;

/** Calls a second of four runs of the packaged consumer side by side on 16 shards, over those of one. */
export const runs: Figure = {
  name: 'runs',
  ids: ['runs'],
  async measure(bench) {
    bench.mdm.latencyMs = LATENCY_MS;
    const throughput = await interleave(bench.isQuick ? 1 : ROUNDS, {
      one: () => callsOf(bench, 1),
      four: () => callsOf(bench, 4),
    });
    bench.mdm.latencyMs = 0;
    return [{ id: 'runs', values: quotients(throughput.four, throughput.one) }];
  },
};

/** Calls that the MDM receives from this many runs in a given time while all of them work. */
async function callsOf({ redis, mdm, invoke, bundleOf }: Bench, count: number): Promise<number> {
  const stream = await fillShards(redis, SHARDS, ENTRIES_A_SHARD, ENTRIES_A_SHARD);
  const event = { ...groupOf(stream), shards: SHARDS, concurrency: CONCURRENCY };
  const running = Array.from({ length: count }, () =>
    invoke(bundleOf('stream-consumer'), [event], { remainingMs: BUDGET_MS }),
  );
  await sleep(FROM_MS);
  const before = mdm.calls;
  await sleep(TO_MS - FROM_MS);
  const calls = mdm.calls - before;
  await Promise.all(running);
  await removeStreams(redis, ...shardsOf(stream, SHARDS));
  return calls;
}
