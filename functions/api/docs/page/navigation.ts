import { html } from 'htm/preact';
import { useEffect, useRef } from 'preact/hooks';
import type { OperationGroup } from './groups.ts';
import type { Operation } from './openapi.ts';

interface Properties {
  /** What the search finds, the best first. */
  found: readonly Operation[];
  groups: readonly OperationGroup[];
  query: string;
  onQuery: (query: string) => void;
  total: number;
}

/**
 * The search, with a link to every operation it finds. `/` focuses it, Enter opens the first, the arrow keys go
 * through.
 */
export function Navigation({ found, groups, query, onQuery, total }: Properties) {
  const aside = useRef<HTMLElement>(null);
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
  const isSearch = query.trim() !== '';
  const move = (event: KeyboardEvent) => {
    const places = [input.current!, ...aside.current!.querySelectorAll('a')];
    const at = places.indexOf(event.target as HTMLAnchorElement);
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (at === 0 && event.key === 'Enter' && isSearch) places[1]?.click();
    else if (at !== -1 && step) places.at((at + step) % places.length)!.focus();
    else return;
    event.preventDefault();
  };
  const search = (event: Event) => onQuery((event.currentTarget as HTMLInputElement).value);
  const isWide = matchMedia('(min-width: 60rem)').matches;
  const results = `${found.length} ${found.length === 1 ? 'result' : 'results'}`;
  const lists = isSearch ? [{ name: `${found.length} found`, operations: found }] : groups;
  return html`
    <aside ref=${aside} onKeyDown=${move}>
      <label for="search">Search ${total} operations</label>
      <input id="search" type="search" ref=${input} value=${query} onInput=${search} placeholder="Press / to search" />
      <p class="visually-hidden" role="status">${isSearch ? results : ''}</p>
      <details open=${isWide || isSearch}>
        <summary>Operations</summary>
        <nav aria-label="Operations">
          ${lists.map(
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
