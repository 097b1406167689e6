import { baselineOf, carry } from '../carry.ts';
import type { Bench } from '../fixture.ts';
import type { Figure } from '../figure.ts';
import { interleave, quotients } from '../rounds.ts';

/** Memory in MB, and the share of a core that Lambda gives with it. */
const SHARES = { '512': 0.29, '1024': 0.58, '1769': 1 };
const LATENCIES_MS = [0, 50];
const CONCURRENCY = 50;
const KEYS = 1000;
/** Entries measured, for each whole core. */
const ENTRIES = 10_000;
/** Entries of the warm-up: V8 compiles the hot paths meanwhile, whatever the share. */
const WARM_UP = 2_000;
const ROUNDS = 5;

const idOf = (memory: string, latencyMs: number) => `consumer-${memory}mb-${latencyMs}ms`;

/**
 * Entries a second that the packaged consumer carries with the share of a core that Lambda gives, over those of a
 * window written by hand that keeps no order.
 */
export const consumerShare: Figure = {
  name: 'consumer-share',
  ids: Object.keys(SHARES).flatMap((memory) => LATENCIES_MS.map((latencyMs) => idOf(memory, latencyMs))),
  async measure(bench) {
    const readings = [];
    for (const [memory, share] of Object.entries(SHARES)) {
      for (const latencyMs of LATENCIES_MS) {
        bench.mdm.latencyMs = latencyMs;
        const ms = await interleave(Math.min(bench.rounds, ROUNDS), {
          byHand: () => timeOf(bench, baselineOf('window-by-hand'), share),
          consumer: () => timeOf(bench, bench.bundleOf('stream-consumer'), share),
        });
        readings.push({ id: idOf(memory, latencyMs), values: quotients(ms.byHand, ms.consumer) });
      }
    }
    bench.mdm.latencyMs = 0;
    return readings;
  },
};

function timeOf(bench: Bench, handler: string, share: number): Promise<number> {
  const entries = ENTRIES * share;
  const load = { entries, keys: KEYS, warmUp: WARM_UP, settings: { concurrency: CONCURRENCY }, share };
  return carry(bench, handler, load);
}
