import type { Figure } from '../figure.ts';
import { interleave } from '../rounds.ts';

const event = { key: 'bench:memory', entry: { value: 'x'.repeat(100) } };

/** Peak memory of a warm stream function beyond that of bare Node, over that of the handler by hand. */
export const memory: Figure = {
  name: 'memory',
  ids: ['memory'],
  async measure(bench) {
    const peak = (handler?: string) => () => bench.run<number>('memory.cjs', { handler, event, times: 2000 });
    const kB = await interleave(bench.rounds, {
      bare: peak(),
      byHand: peak(bench.byHand),
      ours: peak(bench.bundleOf('stream-xadd')),
    });
    const ratios = kB.bare.map((bare, round) => (kB.ours[round]! - bare) / (kB.byHand[round]! - bare));
    return [{ id: 'memory', values: ratios }];
  },
};
