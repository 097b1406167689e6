import type { Result } from './results.ts';

const COLUMNS = [50, 8, 19, 12, 12] as const;
const MARKS = { ambitious: '++', target: '+', none: 'MISSED' } as const;

const sign = ({ bound }: Result) => (bound === 'at most' ? '≤' : '≥');

function printLine(cells: readonly string[], against: string): void {
  const [first, ...others] = cells.map((cell, at) =>
    at === 0 ? cell.padEnd(COLUMNS[0]) : cell.padStart(COLUMNS[at]!),
  );
  console.log(`${[first, ...others].join('')}  ${against}`);
}

export function printHead(): void {
  printLine(['figure', 'median', 'interval', 'target', 'ambitious'], '        against');
}

export function printResult(result: Result): void {
  const { figure, value, spread, target, ambitious, against = '', meets } = result;
  const bounds = [target, ambitious].map((bound) => `${sign(result)} ${bound}`);
  printLine([figure, String(value), `${spread[0]} – ${spread[1]}`, ...bounds], `${MARKS[meets].padEnd(8)}${against}`);
}
