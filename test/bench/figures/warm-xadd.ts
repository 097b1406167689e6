import type { Figure } from '../figure.ts';
import { interleave, median } from '../rounds.ts';

const bareClient = new URL('../baselines/bare-xadd.ts', import.meta.url).pathname;
const event = { key: 'bench:warm', entry: { value: 'x'.repeat(100) } };

/** What a warm XADD costs beyond the bare client, over what the handler by hand costs beyond it. */
export const warmXadd: Figure = {
  name: 'warm-xadd',
  async measure(bench) {
    const handlers = [bareClient, bench.byHand, bench.bundleOf('stream-xadd')];
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
