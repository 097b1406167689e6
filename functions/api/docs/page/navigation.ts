import { html } from 'htm/preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Group } from './groups.ts';

interface Properties {
  groups: readonly Group[];
  query: string;
  onQuery: (query: string) => void;
  total: number;
}

/** Search and a link to every operation it finds; `/` puts the cursor into the search. */
export function Navigation({ groups, query, onQuery, total }: Properties) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const focusSearch = (event: KeyboardEvent) => {
      const isTyping = event.target instanceof Element && event.target.matches('input, textarea, select');
      if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      input.current?.focus();
    };
    addEventListener('keydown', focusSearch);
    return () => removeEventListener('keydown', focusSearch);
  }, []);
  const search = (event: Event) => onQuery((event.currentTarget as HTMLInputElement).value);
  const isWide = matchMedia('(min-width: 60rem)').matches;
  return html`
    <aside>
      <label for="search">Search ${total} operations</label>
      <input id="search" type="search" ref=${input} value=${query} onInput=${search} placeholder="Press / to search" />
      <details open=${isWide}>
        <summary>Operations</summary>
        <nav aria-label="Operations">
          ${groups.map(
            ({ name, operations }) => html`
              <h2 class="nav-group">${name}</h2>
              <ul>
                ${operations.map(({ id }) => html`<li key=${id}><a href=${`#${id}`}>${id}</a></li>`)}
              </ul>
            `,
          )}
        </nav>
      </details>
    </aside>
  `;
}
