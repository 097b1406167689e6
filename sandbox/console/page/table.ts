import { html } from 'htm/preact';

interface TableProps {
  /** What the table shows, for those who do not see it. */
  label: string;
  columns: readonly string[];
  /** Rows, as elements. */
  children: unknown;
  id?: string;
  /** Whether only some of the rows are in view at a time. */
  isTall?: boolean;
}

/** A table that scrolls within its place, by keyboard too. */
export function Table({ label, columns, children, id, isTall = false }: TableProps) {
  return html`
    <div class=${isTall ? 'scroll tall' : 'scroll'} tabindex="0" role="region" aria-label=${label}>
      <table id=${id}>
        <thead>
          <tr>
            ${columns.map((name) => html`<th scope="col" key=${name}>${name}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${children}
        </tbody>
      </table>
    </div>
  `;
}
