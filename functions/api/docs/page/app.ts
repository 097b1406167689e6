import { html } from 'htm/preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { Appendix, Introduction } from './introduction.ts';
import { Navigation } from './navigation.ts';
import { groupByTag } from './groups.ts';
import type { Document } from './document.ts';
import { readOperations } from './openapi.ts';
import { OperationSection } from './operation.ts';
import type { SignIn } from './credentials.ts';
import { search } from './search.ts';
import { prose } from './text.ts';
import { ThemeSwitch } from './theme.ts';

/** The whole page. */
export function App({ document: openapi }: { document: Document }) {
  const operations = useMemo(() => readOperations(openapi), [openapi]);
  const [query, setQuery] = useState('');
  const [signIn, setSignIn] = useState<SignIn>({ kind: 'none' });
  const found = useMemo(() => search(operations, query), [operations, query]);
  const groups = groupByTag(openapi, found);
  useEffect(scrollToHash, []); // the browser looked for it before this page was drawn
  return html`
    <a class="skip" href="#operations">Skip to the operations</a>
    <header>
      <a class="brand" href="#top">mdm-stream-functions <small>${openapi.info.version}</small></a>
      <nav aria-label="Documents">
        <a class="on-page" href="#sign-in">Sign in</a> <a class="on-page" href="#errors">Errors</a>
        <a href="openapi.json">openapi.json</a>
        <${ThemeSwitch} />
      </nav>
    </header>
    <div class="columns" id="top">
      <${Navigation} found=${found} groups=${groups} query=${query} onQuery=${setQuery} total=${operations.length} />
      <main>
        <${Introduction} document=${openapi} operations=${operations} signIn=${signIn} />
        <div id="operations" tabindex="-1">
          ${found.length === 0 && html`<p>No operation has “${query}”.</p>`}
          ${groups.map(
            ({ name, description, operations: members }) => html`
              <section class="group" aria-labelledby=${`group-${name}`} key=${name}>
                <h2 id=${`group-${name}`}>${name}</h2>
                <p>${prose(description)}</p>
                ${members.map(
                  (operation) =>
                    html`<${OperationSection} key=${operation.id} operation=${operation} signIn=${signIn} />`,
                )}
              </section>
            `,
          )}
        </div>
        <${Appendix} signIn=${signIn} onSignIn=${setSignIn} />
      </main>
    </div>
  `;
}

function scrollToHash(): void {
  if (location.hash.length > 1) document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView();
}
