import { carry } from '../carry.ts';
import type { Figure, Reading } from '../figure.ts';
import { interleave } from '../rounds.ts';

const LATENCY_MS = 50;
/** Length of the run, in calls one after the other. */
const TURNS = 40;
/** Length of the warm-up, in a stream of its own: V8 compiles for some seconds. */
const WARM_UP_TURNS = 100;
const KEYS = 1000;

/** Settings by the id of their reading: the MDM as a target, and a Lambda whose entries are ordered by key. */
const LOADS: Record<string, { concurrency: number; target?: string; keyField?: string }> = {
  'consumer-10': { concurrency: 10 },
  'consumer-50': { concurrency: 50 },
  'consumer-100': { concurrency: 100 },
  'consumer-lambda-50': { concurrency: 50, target: 'bench', keyField: 'sourcePKey' },
};

/** Entries a second that the packaged consumer carries to a target that takes 50 ms, over concurrency ÷ latency. */
export const consumerLatency: Figure = {
  name: 'consumer-latency',
  ids: Object.keys(LOADS),
  most: 4,
  wide: 0.01, // it is a share of an ideal, so a hundredth is a tenth of what is lost
  async measure(bench) {
    const shareOfIdeal = async (settings: { concurrency: number }) => {
      const [entries, warmUp] = [TURNS * settings.concurrency, WARM_UP_TURNS * settings.concurrency];
      const load = { entries, keys: KEYS, warmUp, settings };
      return (TURNS * LATENCY_MS) / (await carry(bench, bench.bundleOf('stream-consumer'), load));
    };
    bench.mdm.latencyMs = LATENCY_MS;
    const shares = await interleave(
      bench.rounds,
      Object.fromEntries(Object.entries(LOADS).map(([id, settings]) => [id, () => shareOfIdeal(settings)])),
    );
    bench.mdm.latencyMs = 0;
    return Object.entries(shares).map(([id, values]): Reading => ({ id, values }));
  },
};
