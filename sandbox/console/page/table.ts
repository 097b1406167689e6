import { html } from 'htm/preact';

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

/** A table that scrolls, also by keyboard. */
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
