import type { Report } from './plot.ts';
import type { Result } from './results.ts';

/** The page of a run of the bench: each figure with its noise, beside its target. */
export function writePage({ date, machine, versions, results }: Report): string {
  const { redisServer, ...packages } = versions;
  const software = Object.entries({ 'redis-server': redisServer, ...packages }).map((pair) => pair.join(' '));
  const rows = results.map(rowOf);
  return `<!-- Generated from docs/benchmarks.json: npm run bench -- --draw. Do not edit. -->

# Benchmarks

One run of \`npm run bench\` as a whole, on ${date.slice(0, 10)}, with ${machine.cores} × ${machine.cpu}, ${software.join(', ')}.

Figures are medians of rounds that alternate between the packaged functions and what they are compared with, so that most
of them are ratios. Only ratios carry over to other machines.

The interval holds the true median with a confidence of 95 %; of fewer than six rounds it is all that was measured. A target
holds the median. Rounds are added while an interval is wider than a twentieth of its median, than
a hundredth of a share of the ideal, or than 0.05 of an exponent, up to eight times as many; the targets have no say in that.

![Every figure against its target](benchmarks.svg)

| figure | against | median | interval | rounds | target | met |
| --- | --- | --- | --- | --- | --- | --- |
${rows.join('\n')}

What stands behind the figures is in [What makes it fast](decisions/0007-what-makes-it-fast.md); how they are measured, in
\`test/bench/figures\`, and what they are compared with in \`test/bench/baselines\`.
`;
}

function rowOf({ figure, against = '–', value, spread, rounds, bound, target, meets }: Result): string {
  const sign = bound === 'at most' ? '≤' : '≥';
  const interval = `${spread[0]} to ${spread[1]}`;
  const cells = [figure, against, value, interval, rounds, `${sign} ${target}`, meets ? 'yes' : '**no**'];
  return `| ${cells.join(' | ')} |`;
}
