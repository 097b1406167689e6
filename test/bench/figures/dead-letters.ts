import { baselineOf, carry } from '../carry.ts';
import type { Figure } from '../figure.ts';
import { interleave, quotients } from '../rounds.ts';

const ENTRIES = 30_000;
/** V8 still compiles in the third run. */
const WARM_UP = [ENTRIES, ENTRIES, ENTRIES];
const LOAD = { entries: ENTRIES, keys: ENTRIES, warmUp: WARM_UP, count: 'deadLettered' } as const;
/** As many in flight as the pipelined loop has; a target that takes nothing at all must not open the breaker. */
const SETTINGS = { target: 'refuse', batchSize: 400, concurrency: 100, refusalLimit: 0 };

/** Entries a second that become dead letters, over a loop that makes them without looking. */
export const deadLetters: Figure = {
  name: 'dead-letters',
  ids: ['dead-letters'],
  most: 4,
  async measure(bench) {
    const ms = await interleave(bench.rounds, {
      engine: () => carry(bench, bench.engine, { ...LOAD, settings: SETTINGS }),
      pipeline: () => carry(bench, baselineOf('dead-letter-pipeline'), LOAD),
    });
    return [{ id: 'dead-letters', values: quotients(ms.pipeline, ms.engine) }];
  },
};
