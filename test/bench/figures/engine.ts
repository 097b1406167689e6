import { baselineOf, carry, ENGINE_SETTINGS } from '../carry.ts';
import type { Figure } from '../figure.ts';
import { interleave, median, quotients } from '../rounds.ts';
import type { Bench } from '../fixture.ts';

const LOAD = { entries: 100_000, keys: 500 };
const JOBS = 5_000;

/** Entries a second that the consumer carries to a target that costs nothing, in the order of their key. */
export const engine: Figure = {
  name: 'engine',
  ids: ['engine-read-loop', 'engine-bullmq'],
  most: 4,
  async measure(bench) {
    const msAnEntry = await interleave(bench.rounds, {
      engine: async () => (await carry(bench, bench.engine, { ...LOAD, settings: ENGINE_SETTINGS })) / LOAD.entries,
      readLoop: async () => (await carry(bench, baselineOf('read-loop'), LOAD)) / LOAD.entries,
      bullmq10: () => work(bench, 10),
      bullmq100: () => work(bench, 100),
      bullmq300: () => work(bench, 300),
    });
    const { bullmq10, bullmq100, bullmq300 } = msAnEntry;
    const [bullmq] = [bullmq10, bullmq100, bullmq300].sort((a, b) => median(a) - median(b)) as [number[]];
    return [
      { id: 'engine-read-loop', values: quotients(msAnEntry.readLoop, msAnEntry.engine) },
      { id: 'engine-bullmq', values: quotients(bullmq, msAnEntry.engine) },
    ];
  },
};

async function work({ invoke }: Bench, concurrency: number): Promise<number> {
  const queue = `bench-${concurrency}`;
  const add = { queue, jobs: JOBS, add: true };
  const run = { queue, jobs: JOBS, concurrency };
  const { calls } = await invoke(baselineOf('bullmq'), [add, run, add, run]);
  return calls[3]!.ms / JOBS;
}
