import type { Figure } from '../figure.ts';
import { interleave, quotients } from '../rounds.ts';
import type { Bench } from '../stage.ts';
import { fillStream, groupOf, removeStreams } from '../streams.ts';

const KEYS = 500;
const ENTRIES = 100_000;
const WARM_UP = 20_000;
const JOBS = 5_000;
const baseline = (name: string) => new URL(`../baselines/${name}.ts`, import.meta.url).pathname;

/** Entries a second that the consumer carries to a target that costs nothing, in the order of their key. */
export const engine: Figure = {
  name: 'engine',
  async measure(bench) {
    const perSecond = await interleave(bench.rounds, {
      engine: () => drain(bench, bench.engine, { target: 'take', batchSize: 500, concurrency: 100 }),
      readLoop: () => drain(bench, baseline('read-loop')),
      bullmq10: () => work(bench, 10),
      bullmq100: () => work(bench, 100),
      bullmq300: () => work(bench, 300),
    });
    const bullmq = perSecond.bullmq10.map((value, round) =>
      Math.max(value, perSecond.bullmq100[round]!, perSecond.bullmq300[round]!),
    );
    return [
      { id: 'engine-read-loop', values: quotients(perSecond.engine, perSecond.readLoop) },
      { id: 'engine-bullmq', values: quotients(perSecond.engine, bullmq) },
    ];
  },
};

async function drain({ redis, invoke }: Bench, handler: string, settings: object = {}): Promise<number> {
  const [warmUp, stream] = [await fillStream(redis, WARM_UP, KEYS), await fillStream(redis, ENTRIES, KEYS)];
  const { calls } = await invoke(
    handler,
    [warmUp, stream].map((name) => ({ ...groupOf(name), ...settings })),
  );
  await removeStreams(redis, warmUp, stream);
  const { ms, answer } = calls[1]!;
  if ((answer as { processed: number }).processed !== ENTRIES) throw new Error(`${handler}: ${JSON.stringify(answer)}`);
  return (ENTRIES / ms) * 1000;
}

async function work({ invoke }: Bench, concurrency: number): Promise<number> {
  const queue = `bench-${concurrency}`;
  const add = { queue, jobs: JOBS, add: true };
  const run = { queue, jobs: JOBS, concurrency };
  const { calls } = await invoke(baseline('bullmq'), [add, run, add, run]);
  return (JOBS / calls[3]!.ms) * 1000;
}
