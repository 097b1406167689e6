import { baselineOf } from '../carry.ts';
import type { Figure } from '../figure.ts';
import { interleave, median } from '../rounds.ts';

const event = { key: 'bench:warm', entry: { value: 'x'.repeat(100) } };

/** What a warm XADD costs beyond the bare client, over what the handler by hand costs beyond it. */
export const warmXadd: Figure = {
  name: 'warm-xadd',
  async measure(bench) {
    const handlers = [baselineOf('bare-xadd'), bench.byHand, bench.bundleOf('stream-xadd')];
    const input = { variants: handlers.map((handler) => ({ handler, event })), turns: 4000, warmUp: 2000 };
    const { ratio } = await interleave(bench.rounds, {
      async ratio() {
        const [bare, byHand, ours] = (await bench.run<number[][]>('alternate.cjs', input)).map(median);
        return (ours! - bare!) / (byHand! - bare!);
      },
    });
    return [{ id: 'warm-xadd', values: ratio }];
  },
};
