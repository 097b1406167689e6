import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { figures } from '../../bench/figures/index.ts';
import { writePage } from '../../bench/page.ts';
import { drawPlot, type Report } from '../../bench/plot.ts';
import { judge } from '../../bench/results.ts';
import { intervalOf } from '../../bench/rounds.ts';
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
])('takes from %j the 95 %% confidence interval of the median', (values, interval) => {
  expect(intervalOf(values)).toEqual(interval);
});

it.each([
  ['warm-xadd-http', [1.9, 2, 2.4], true],
  ['warm-xadd-http', [1.9, 2.1, 2.4], false],
  ['consumer-50', [0.7, 0.85, 0.9], true],
  ['consumer-50', [0.7, 0.84, 0.9], false],
])('judges the median of %s %j by its target', (id, values, isMet) => {
  expect(judge({ id, values }).meets).toBe(isMet);
});

it('the benchmarks page and plot show the recorded run', () => {
  const of = (path: string) => readFileSync(path, 'utf8');
  const report = JSON.parse(of('docs/benchmarks.json')) as Report;

  expect(of('docs/benchmarks.md')).toBe(writePage(report));
  expect(of('docs/benchmarks.svg')).toBe(drawPlot(report));
});
