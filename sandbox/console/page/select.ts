import { html } from 'htm/preact';

interface SelectProps {
  label: string;
  value: string;
  /** Value and text of each. */
  options: readonly (readonly [string, string])[];
  onChoose: (value: string) => void;
}

/** A labelled choice. */
export function Select({ label, value, options, onChoose }: SelectProps) {
  const change = (event: Event) => onChoose((event.currentTarget as HTMLSelectElement).value);
  return html`
    <label>
      ${label}${' '}
      <select value=${value} onChange=${change}>
        ${options.map(([each, text]) => html`<option key=${each} value=${each}>${text}</option>`)}
      </select>
    </label>
  `;
}
