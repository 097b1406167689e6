import type { Result } from './results.ts';

const COLUMNS = [50, 8, 19, 12] as const;

const sign = ({ bound }: Result) => (bound === 'at most' ? '≤' : '≥');

function printLine(cells: readonly string[], against: string): void {
  const [first, ...others] = cells.map((cell, at) =>
    at === 0 ? cell.padEnd(COLUMNS[0]) : cell.padStart(COLUMNS[at]!),
  );
  console.log(`${[first, ...others].join('')}  ${against}`);
}

export function printHead(): void {
  printLine(['figure', 'median', 'interval', 'target'], '        against');
}

export function printResult(result: Result): void {
  const { figure, value, spread, target, against = '', meets } = result;
  printLine(
    [figure, String(value), `${spread[0]} – ${spread[1]}`, `${sign(result)} ${target}`],
    `${meets ? '' : 'MISSED'}`.padEnd(8) + against,
  );
}
