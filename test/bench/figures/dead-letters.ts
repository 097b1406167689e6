import { baselineOf, carry } from '../carry.ts';
import type { Figure } from '../figure.ts';
import { interleave, quotients } from '../rounds.ts';

const LOAD = { entries: 5_000, keys: 5_000, warmUp: 1_000, count: 'deadLettered' } as const;

/** Entries a second that become dead letters, at the consumer's own defaults. */
export const deadLetters: Figure = {
  name: 'dead-letters',
  async measure(bench) {
    const ms = await interleave(bench.rounds, {
      engine: () => carry(bench, bench.engine, { ...LOAD, settings: { target: 'refuse' } }),
      loop: () => carry(bench, baselineOf('dead-letter-loop'), LOAD),
    });
    return [{ id: 'dead-letters', values: quotients(ms.loop, ms.engine) }];
  },
};
