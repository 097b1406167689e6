import type { Figure } from '../figure.ts';
import { growthExponent, interleave, median } from '../rounds.ts';
import { fillStream, removeStreams } from '../streams.ts';

const LENGTHS = [1_000, 10_000, 100_000, 1_000_000];

/** How the time of an XADD grows with the length of its stream. */
export const growthXadd: Figure = {
  name: 'growth-xadd',
  ids: ['growth-xadd'],
  most: 4,
  isExponent: true,
  async measure(bench) {
    const streams: string[] = [];
    for (const length of LENGTHS) streams.push(await fillStream(bench.redis, length, length));
    const handler = bench.bundleOf('stream-xadd');
    const variants = streams.map((key) => ({ handler, event: { key, entry: { value: 'x'.repeat(100) } } }));
    const { exponent } = await interleave(bench.growthRounds, {
      async exponent() {
        const micros = await bench.run<number[][]>('alternate.cjs', { variants, turns: 1000, warmUp: 500 });
        return growthExponent(LENGTHS.map((length, at) => [length, median(micros[at]!)]));
      },
    });
    await removeStreams(bench.redis, ...streams);
    return [{ id: 'growth-xadd', values: exponent }];
  },
};
