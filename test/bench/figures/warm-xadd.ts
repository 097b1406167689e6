import { httpEvent } from '#sandbox/aws/http-event.ts';
import { baselineOf } from '../carry.ts';
import type { Figure } from '../figure.ts';
import { interleave, median } from '../rounds.ts';

const event = { key: 'bench:warm', entry: { value: 'x'.repeat(100) } };

/** What a warm XADD costs beyond the bare client, over what the handler by hand costs beyond it, by way in. */
export const warmXadd: Figure = {
  name: 'warm-xadd',
  ids: ['warm-xadd-http', 'warm-xadd-direct'],
  most: 4,
  async measure(bench) {
    const http = httpEvent('POST', '/stream/xadd', JSON.stringify(event));
    const [byHand, ours] = [bench.byHand, bench.bundleOf('stream-xadd')];
    const added = (sent: unknown) => async () => {
      const variants = [
        { handler: baselineOf('bare-xadd'), event },
        { handler: byHand, event: sent },
        { handler: ours, event: sent },
      ];
      const input = { variants, turns: 4000, warmUp: 2000 };
      const [bare, hand, function_] = (await bench.run<number[][]>('alternate.cjs', input)).map(median);
      return (function_! - bare!) / (hand! - bare!);
    };
    const ratios = await interleave(bench.rounds, { http: added(http), direct: added(event) });
    return [
      { id: 'warm-xadd-http', values: ratios.http },
      { id: 'warm-xadd-direct', values: ratios.direct },
    ];
  },
};
