import { baselineOf, carry } from '../carry.ts';
import type { Bench } from '../fixture.ts';
import type { Figure } from '../figure.ts';
import { interleave, quotients } from '../rounds.ts';

/** Memory in MB, and the share of a core that Lambda gives with it. */
const SHARES = { '512': 0.29, '1024': 0.58, '1769': 1 };
const LATENCIES_MS = [0, 50];
const CONCURRENCY = 50;
const KEYS = 1000;
/** Entries of a run on a whole core; this times the share of a core is measured. */
const ENTRIES = 10_000;
/** Runs of a container that has been at work for a while: V8 still compiles in the second and third of them. */
const WARM_UP = [ENTRIES, ENTRIES, ENTRIES];
const ROUNDS = 5;

/**
 * Entries a second that the packaged consumer carries with the share of a core that Lambda gives, over those of a
 * window written by hand that keeps no order. A figure for each share and latency.
 */
export const consumerShares: readonly Figure[] = Object.entries(SHARES).flatMap(([memory, share]) =>
  LATENCIES_MS.map((latencyMs) => figureOf(`consumer-${memory}mb-${latencyMs}ms`, share, latencyMs)),
);

function figureOf(id: string, share: number, latencyMs: number): Figure {
  return {
    name: id,
    ids: [id],
    async measure(bench) {
      bench.mdm.latencyMs = latencyMs;
      const ms = await interleave(Math.min(bench.rounds, ROUNDS), {
        byHand: () => timeOf(bench, baselineOf('window-by-hand'), share),
        consumer: () => timeOf(bench, bench.bundleOf('stream-consumer'), share),
      });
      bench.mdm.latencyMs = 0;
      return [{ id, values: quotients(ms.byHand, ms.consumer) }];
    },
  };
}

function timeOf(bench: Bench, handler: string, share: number): Promise<number> {
  const entries = ENTRIES * share;
  const load = { entries, keys: KEYS, warmUp: WARM_UP, settings: { concurrency: CONCURRENCY }, share };
  return carry(bench, handler, load);
}
