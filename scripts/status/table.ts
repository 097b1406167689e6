import { paint } from '#sandbox/stack/terminal.ts';

type Cell = string | number | object;

/** Rows under column names, with right-aligned numbers; on a terminal, rows that need attention are yellow. */
export function formatTable(
  columns: readonly string[],
  rows: readonly (readonly Cell[])[],
  needsAttention: (at: number) => boolean = () => false,
): string {
  const textOf = (cell: Cell | undefined) => (typeof cell === 'object' ? JSON.stringify(cell) : String(cell ?? ''));
  const widths = columns.map((name, at) => Math.max(name.length, ...rows.map((row) => textOf(row[at]).length)));
  const isNumeric = columns.map((_, at) => rows.every((row) => typeof row[at] !== 'string'));
  const line = (cells: readonly (Cell | undefined)[]) =>
    widths
      .map((width, at) => (isNumeric[at] ? textOf(cells[at]).padStart(width) : textOf(cells[at]).padEnd(width)))
      .join('  ')
      .trimEnd();
  const lines = rows.map((row, at) => (needsAttention(at) ? paint('yellow', line(row)) : line(row)));
  return [paint('bold', line(columns)), widths.map((width) => '─'.repeat(width)).join('  '), ...lines].join('\n');
}
