import { baselineOf, carry, ENGINE_SETTINGS } from '../carry.ts';
import type { Figure } from '../figure.ts';
import { interleave, median, quotients } from '../rounds.ts';
import type { Bench } from '../fixture.ts';

const ENTRIES = 100_000;
/** V8 still compiles in the second run. */
const LOAD = { entries: ENTRIES, keys: 500, warmUp: [ENTRIES, ENTRIES] };
const JOBS = 5_000;

/**
 * Entries a second that the consumer carries to a target that costs nothing, in the order of their key. It and BullMQ
 * each at the setting that is its fastest on this machine.
 */
export const engine: Figure = {
  name: 'engine',
  ids: ['engine-read-loop', 'engine-bullmq'],
  most: 4,
  async measure(bench) {
    const msAnEntry = await interleave(bench.rounds, {
      engine400: () => drain(bench, 400),
      engine500: () => drain(bench, 500),
      readLoop: async () => (await carry(bench, baselineOf('read-loop'), LOAD)) / ENTRIES,
      bullmq10: () => work(bench, 10),
      bullmq100: () => work(bench, 100),
      bullmq300: () => work(bench, 300),
    });
    const { readLoop, bullmq10, bullmq100, bullmq300 } = msAnEntry;
    const fastest = leastOf(msAnEntry.engine400, msAnEntry.engine500);
    const bullmq = leastOf(bullmq10, bullmq100, bullmq300);
    return [
      { id: 'engine-read-loop', values: quotients(readLoop, fastest) },
      { id: 'engine-bullmq', values: quotients(bullmq, fastest) },
    ];
  },
};

const leastOf = (...msAnEntry: number[][]) => msAnEntry.reduce((a, b) => (median(b) < median(a) ? b : a));

/** Milliseconds an entry, with batches of this size and as many in flight. */
async function drain(bench: Bench, size: number): Promise<number> {
  const settings = { ...ENGINE_SETTINGS, batchSize: size, concurrency: size };
  return (await carry(bench, bench.engine, { ...LOAD, settings })) / ENTRIES;
}

async function work({ invoke }: Bench, concurrency: number): Promise<number> {
  const queue = `bench-${concurrency}`;
  const add = { queue, jobs: JOBS, add: true };
  const run = { queue, jobs: JOBS, concurrency };
  const { calls } = await invoke(baselineOf('bullmq'), [add, run, add, run, add, run]);
  return calls.at(-1)!.ms / JOBS;
}
