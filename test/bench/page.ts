import type { Report } from './plot.ts';
import type { Result } from './results.ts';

/** The page of a run of the bench: each figure with its noise and its target. */
export function writePage({ date, machine, versions, results }: Report): string {
  const { redisServer, ...packages } = versions;
  const software = Object.entries({ 'redis-server': redisServer, ...packages }).map((pair) => pair.join(' '));
  const rows = results.map(rowOf);
  return `<!-- Generated from docs/benchmarks.json: npm run prove -- bench --draw. Do not edit. -->

# Benchmarks

A full run of \`npm run prove -- bench\` on ${date.slice(0, 10)}, with ${machine.cores} × ${machine.cpu}, ${software.join(', ')}.

Each figure is a median of rounds that alternate between the packaged functions and a baseline. Most figures are ratios,
and only ratios carry over to other machines. A target holds the median.

The interval contains the true median with a confidence of 95 %; with fewer than six rounds, it contains all
measurements. The bench adds rounds to most of the ratios, several times as many, while an interval is wider
than 5 % of its median, or than 0.01 for a share of the ideal. Targets do not influence that.

![Every figure against its target](benchmarks.svg)

| figure | against | median | interval | rounds | target | met |
| --- | --- | --- | --- | --- | --- | --- |
${rows.join('\n')}

[What makes it fast](decisions/0007-what-makes-it-fast.md) explains the figures. \`test/bench/figures\` measures them,
and \`test/bench/baselines\` has the baselines.
`;
}

function rowOf({ figure, against = '–', value, spread, rounds, bound, target, meets }: Result): string {
  const sign = bound === 'at most' ? '≤' : '≥';
  const interval = `${spread[0]} to ${spread[1]}`;
  const cells = [figure, against, value, interval, rounds, `${sign} ${target}`, meets ? 'yes' : '**no**'];
  return `| ${cells.join(' | ')} |`;
}
