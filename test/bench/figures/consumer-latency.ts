import type { Figure, Reading } from '../figure.ts';
import { interleave } from '../rounds.ts';
import type { Bench } from '../stage.ts';
import { fillStream, groupOf, removeStreams } from '../streams.ts';

const LATENCY_MS = 50;
/** The run is as long as so many calls one after the other. */
const TURNS = 40;
const KEYS = 1000;
const CONCURRENCIES = [10, 50, 100];

/** Entries a second that the packaged consumer carries to an MDM that takes 50 ms, over concurrency ÷ latency. */
export const consumerLatency: Figure = {
  name: 'consumer-latency',
  async measure(bench) {
    bench.mdm.latencyMs = LATENCY_MS;
    const shares = await interleave(
      bench.rounds,
      Object.fromEntries(CONCURRENCIES.map((concurrency) => [concurrency, () => shareOfIdeal(bench, concurrency)])),
    );
    bench.mdm.latencyMs = 0;
    return Object.entries(shares).map(([concurrency, values]): Reading => ({ id: `consumer-${concurrency}`, values }));
  },
};

async function shareOfIdeal({ redis, invoke, bundleOf }: Bench, concurrency: number): Promise<number> {
  const entries = TURNS * concurrency;
  const [warmUp, stream] = [await fillStream(redis, concurrency, KEYS), await fillStream(redis, entries, KEYS)];
  const events = [warmUp, stream].map((name) => ({ ...groupOf(name), concurrency }));
  const { calls } = await invoke(bundleOf('stream-consumer'), events);
  await removeStreams(redis, warmUp, stream);
  const { ms, answer } = calls[1]!;
  if ((answer as { processed: number }).processed !== entries) throw new Error(`consumer: ${JSON.stringify(answer)}`);
  return (TURNS * LATENCY_MS) / ms;
}
