import { html } from 'htm/preact';
import type { Statement } from './document.ts';
import type { Operation, Outcome } from './openapi.ts';
import type { Parameter } from './parameters.ts';
import type { SignIn } from './credentials.ts';
import { colour } from './json.ts';
import { prose } from './text.ts';
import { TryIt } from './try-it.ts';

/** One operation: parameters, responses, and an editor to call it. */
export function OperationSection({ operation, signIn }: { operation: Operation; signIn: SignIn }) {
  const { id, path, summary, description, parameters, responses, statements } = operation;
  return html`
    <article id=${id} aria-labelledby=${`${id}-title`}>
      <h3 id=${`${id}-title`}><a href=${`#${id}`}>${id}</a></h3>
      <p class="route"><span class="method">POST</span> <code>${path}</code></p>
      <p class="summary">${summary}.</p>
      <div class="split">
        <${TryIt} operation=${operation} signIn=${signIn} />
        <div>
          ${description && html`<p>${prose(description)}</p>`}
          <h4>Parameters</h4>
          <${Parameters} id=${id} parameters=${parameters} />
          <h4>Responses</h4>
          ${responses.map((response) => html`<${Response} key=${response.status} response=${response} />`)}
          ${statements.length > 0 && html`<${KnownFrom} statements=${statements} />`}
        </div>
      </div>
    </article>
  `;
}

const written = (value: unknown) => JSON.stringify(value);

function Parameters({ id, parameters }: { id: string; parameters: readonly Parameter[] }) {
  return html`
    <dl class="parameters" aria-label=${`Parameters of ${id}`}>
      ${parameters.map(
        ({ name, type, required, description, ...rest }) => html`
          <dt key=${name}>
            <code>${name}</code> <span class="type">${type}</span>
            ${required && html` <span class="required">required</span>`}
            ${'default' in rest && html` <span class="default">default <code>${written(rest.default)}</code></span>`}
          </dt>
          <dd>${prose(description)}</dd>
        `,
      )}
    </dl>
  `;
}

function KnownFrom({ statements }: { statements: readonly Statement[] }) {
  return html`
    <h4>Known from</h4>
    <p>Nothing here was tried on a tenant.</p>
    <ul class="known-from">
      ${statements.map(
        ({ statement, knownFrom, url }) => html`
          <li key=${statement}>
            ${prose(statement)} <span class="source">${url ? html`<a href=${url}>${knownFrom}</a>` : knownFrom}</span>
          </li>
        `,
      )}
    </ul>
  `;
}

function Response({ response: { status, description, media } }: { response: Outcome }) {
  const examples = media.filter(({ example }) => example !== undefined);
  const line = html`<strong>${status}</strong> ${prose(description)}`;
  if (examples.length === 0) return html`<p class="response">${line}</p>`;
  return html`
    <details class="response">
      <summary>${line}</summary>
      ${examples.map(
        ({ type, example }) =>
          html`<p class="media">${type}</p>
            <pre tabindex="0">${colour(example!)}</pre>`,
      )}
    </details>
  `;
}
