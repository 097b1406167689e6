import { carry } from '../carry.ts';
import type { Figure, Reading } from '../figure.ts';
import { interleave } from '../rounds.ts';

const LATENCY_MS = 50;
/** Length of the run, in calls one after the other. */
const TURNS = 40;
/** Entries of the warm-up, in a stream of their own: V8 compiles the hot paths in the first second of a run. */
const WARM_UP_TURNS = 10;
const CONCURRENCIES = [10, 50, 100];

/** Entries a second that the packaged consumer carries to an MDM that takes 50 ms, over concurrency ÷ latency. */
export const consumerLatency: Figure = {
  name: 'consumer-latency',
  ids: CONCURRENCIES.map((concurrency) => `consumer-${concurrency}`),
  async measure(bench) {
    const shareOfIdeal = async (concurrency: number) => {
      const [entries, warmUp] = [TURNS * concurrency, WARM_UP_TURNS * concurrency];
      const load = { entries, keys: 1000, warmUp, settings: { concurrency } };
      return (TURNS * LATENCY_MS) / (await carry(bench, bench.bundleOf('stream-consumer'), load));
    };
    bench.mdm.latencyMs = LATENCY_MS;
    const shares = await interleave(
      bench.rounds,
      Object.fromEntries(CONCURRENCIES.map((concurrency) => [concurrency, () => shareOfIdeal(concurrency)])),
    );
    bench.mdm.latencyMs = 0;
    return Object.entries(shares).map(([concurrency, values]): Reading => ({ id: `consumer-${concurrency}`, values }));
  },
};
