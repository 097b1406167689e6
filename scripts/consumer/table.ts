type Cell = string | number | object;

/** Rows under their column names, numbers to the right. */
export function formatTable(columns: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const textOf = (cell: Cell | undefined) => (typeof cell === 'object' ? JSON.stringify(cell) : String(cell ?? ''));
  const widths = columns.map((name, at) => Math.max(name.length, ...rows.map((row) => textOf(row[at]).length)));
  const isNumeric = columns.map((_, at) => rows.every((row) => typeof row[at] !== 'string'));
  const line = (cells: readonly (Cell | undefined)[]) =>
    widths
      .map((width, at) => (isNumeric[at] ? textOf(cells[at]).padStart(width) : textOf(cells[at]).padEnd(width)))
      .join('  ')
      .trimEnd();
  return [line(columns), widths.map((width) => '─'.repeat(width)).join('  '), ...rows.map(line)].join('\n');
}
