import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { readingsOf } from '../../bench/figure.ts';
import { figures } from '../../bench/figures/index.ts';
import type { Bench } from '../../bench/fixture.ts';
import { writePage } from '../../bench/page.ts';
import { drawPlot, type Report } from '../../bench/plot.ts';
import { judge } from '../../bench/results.ts';
import { growthExponent, intervalOf } from '../../bench/rounds.ts';
import targets from '../../bench/targets.json' with { type: 'json' };

it('measures each figure that has a target, and no other', () => {
  const measured = figures.flatMap(({ ids }) => ids);

  expect(measured).toHaveLength(new Set(measured).size);
  expect([...measured].sort()).toEqual(Object.keys(targets).sort());
});

it.each([
  [
    [3, 1, 2],
    [1, 3],
  ], // too few for 95 %: all of them
  [
    [1, 2, 3, 4, 5, 6],
    [1, 6],
  ],
  [
    [9, 8, 7, 6, 5, 4, 3, 2, 1],
    [2, 8],
  ],
  [Array.from({ length: 27 }, (_, at) => at), [7, 19]],
])('takes of %j the values that the true median lies between with a confidence of 95 %%', (values, interval) => {
  expect(intervalOf(values)).toEqual(interval);
});

it.each([
  ['warm-xadd-http', [1.9, 2, 2.4], true],
  ['warm-xadd-http', [1.9, 2.1, 2.4], false],
  ['consumer-50', [0.7, 0.85, 0.9], true],
  ['consumer-50', [0.7, 0.84, 0.9], false],
])('holds the median of %s %j by its target', (id, values, isMet) => {
  expect(judge({ id, values }).meets).toBe(isMet);
});

describe('rounds', () => {
  const [noisy, quiet] = [
    [8, 9, 10, 11, 12],
    [9.9, 10, 10, 10, 10.1],
  ];
  async function measured(batches: number[][], most?: number, isQuick = false) {
    const measure = async () => [{ id: 'steady', values: quiet }, { id: 'wanted', values: batches.shift()! }]; // prettier-ignore
    const readings = await readingsOf({ name: '', ids: [], most, measure }, { isQuick } as Bench);
    return readings.map(({ values }) => values);
  }

  it('are added to all that was measured while an interval is wide', async () => {
    const narrow = Array.from({ length: 40 }, () => 10);

    expect(await measured([noisy, narrow, quiet], 4)).toEqual([[...quiet, ...quiet], [...noisy, ...narrow]]); // prettier-ignore
  });

  it('end where the interval is narrow, after as many as may be, and after the first where none is allowed', async () => {
    const lengthOf = async (...asked: Parameters<typeof measured>) => (await measured(...asked))[1]!.length;
    const always = () => Array.from({ length: 9 }, () => noisy);

    expect(await lengthOf([quiet], 4)).toBe(5);
    expect(await lengthOf(always(), 4)).toBe(20);
    expect(await lengthOf(always())).toBe(5);
    expect(await lengthOf(always(), 4, true)).toBe(5);
  });

  it('are added while an interval is wider than its figure allows', async () => {
    const timesWith = async (wide?: number) => {
      let times = 0;
      const measure = async () => {
        times++;
        return [{ id: 'share', values: [99, 100, 102] }];
      };
      await readingsOf({ name: '', ids: [], most: 3, wide, measure }, {} as Bench);
      return times;
    };

    expect([await timesWith(), await timesWith(0.01)]).toEqual([1, 3]);
  });

  it('are added while the interval of an exponent is wide, and not because its median is near 0', async () => {
    const lengthOf = async (batches: number[][]) => {
      const measure = async () => [{ id: 'growth', values: batches.shift()! }];
      const [growth] = await readingsOf({ name: '', ids: [], most: 4, isExponent: true, measure }, {} as Bench);
      return growth!.values.length;
    };

    expect(await lengthOf([[-0.02, -0.01, 0, 0.01, 0.02]])).toBe(5);
    expect(await lengthOf([[-0.04, -0.01, 0, 0.01, 0.04], quiet.map(() => 0)])).toBe(10);
  });
});

it('finds no growth where the time of an entry stays the same, and growth where it does not', () => {
  expect(growthExponent([[10, 2], [1000, 2]])).toBeCloseTo(0); // prettier-ignore
  expect(growthExponent([[10, 2], [1000, 20]])).toBeCloseTo(0.5); // prettier-ignore
});

it('shows the page and the plot of the run that is kept, and not those of another', () => {
  const of = (path: string) => readFileSync(path, 'utf8');
  const report = JSON.parse(of('docs/benchmarks.json')) as Report;

  expect(of('docs/benchmarks.md')).toBe(writePage(report));
  expect(of('docs/benchmarks.svg')).toBe(drawPlot(report));
});
