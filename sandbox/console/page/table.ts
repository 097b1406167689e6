import { html } from 'htm/preact';
import { useEffect, useRef } from 'preact/hooks';

interface TableProps {
  /** Caption for screen readers. */
  label: string;
  columns: readonly string[];
  /** Rows, as elements. */
  children: unknown;
  id?: string;
  /** Whether the table scrolls. */
  isTall?: boolean;
}

/** A table that scrolls, also by keyboard. On a phone each row is a list, in which the cells name their columns. */
export function Table({ label, columns, children, id, isTall = false }: TableProps) {
  const body = useRef<HTMLTableSectionElement>(null);
  useEffect(() => {
    for (const { cells } of body.current?.rows ?? []) {
      if (cells.length !== columns.length) continue; // a sentence over the whole width
      for (const [at, cell] of [...cells].entries()) cell.dataset.column = columns[at] ?? '';
    }
  });
  return html`
    <div class=${isTall ? 'scroll tall' : 'scroll'} tabindex="0" role="region" aria-label=${label}>
      <table id=${id}>
        <thead>
          <tr>
            ${columns.map((name) => html`<th scope="col" key=${name}>${name}</th>`)}
          </tr>
        </thead>
        <tbody ref=${body}>
          ${children}
        </tbody>
      </table>
    </div>
  `;
}
