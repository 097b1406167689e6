import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import type { Operation } from './openapi.ts';
import type { SignIn } from './credentials.ts';
import { send } from './sign-in.ts';
import { LANGUAGES, snippet, type Language } from './snippets.ts';
import { colour } from './json.ts';
import { indentJson } from './text.ts';
import { ValueChoices } from './value-choice.ts';

interface Result {
  readonly line: string;
  readonly isError: boolean;
  readonly body: string;
}

interface Properties {
  operation: Operation;
  signIn: SignIn;
  /** Precedes the id of the editor, where the operation is on the page twice. */
  prefix?: string;
  /** Whether the answer stands beside the call, an example until it is sent. */
  isFirst?: boolean;
}

/** An editor with the contract's example, the response, and the same call to copy. */
export function TryIt({ operation, signIn, prefix = '', isFirst = false }: Properties) {
  const { path, example, parameters, responses } = operation;
  const id = prefix + operation.id;
  const names = parameters.map(({ name }) => name);
  const [body, setBody] = useState(example);
  const [result, setResult] = useState<Result>();
  const [isSending, setIsSending] = useState(false);
  const [copied, setCopied] = useState<{ language: Language; text: string }>();
  const url = new URL(path.slice(1), document.baseURI).href;

  const run = async () => {
    if (isSending) return;
    setIsSending(true);
    setResult(await call(url, body, signIn));
    setIsSending(false);
  };
  const textOf = (language: Language) => snippet(language, { id: operation.id, url, path, body, signIn });
  const copy = async (language: Language) => {
    const text = textOf(language);
    await navigator.clipboard.writeText(text);
    setCopied({ language, text });
  };
  const isStale = copied !== undefined && copied.text !== textOf(copied.language);
  const runByKey = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void run();
  };
  const expected = isFirst && !result ? responses[0]?.media[0]?.example : undefined;
  return html`
    <div class=${isFirst ? 'try first' : 'try'}>
      <div>
        <${ValueChoices} names=${names} body=${body} onBody=${setBody} signIn=${signIn} />
        <label for=${`${id}-body`}>Parameters, JSON</label>
        <div class="editor">
          <pre aria-hidden="true">${colour(body)}${'\n'}</pre>
          <textarea
            id=${`${id}-body`}
            spellcheck=${false}
            value=${body}
            onInput=${(event: Event) => setBody((event.currentTarget as HTMLTextAreaElement).value)}
            onKeyDown=${runByKey}
          ></textarea>
        </div>
        <div class="buttons">
          <button class="run" onClick=${run} disabled=${isSending}>${isSending ? 'Sending…' : 'Send'}</button>
          ${LANGUAGES.map((language) => html`<button onClick=${() => copy(language)}>Copy as ${language}</button>`)}
        </div>
      </div>
      <div aria-live="polite" class="result">
        ${
          expected &&
          html`<p class="status">An answer, as an example</p>
            <pre tabindex="0" aria-label=${`Example response of ${id}`}>${colour(expected)}</pre>`
        }
        ${
          copied &&
          html`<p class="copied">
            ${isStale ? 'The call has changed since you copied it as' : 'Copied as'} ${copied.language}.
          </p>`
        }
        ${
          result &&
          html`<p class=${result.isError ? 'status error' : 'status'}>${result.line}</p>
            <pre tabindex="0" aria-label=${`Response of ${id}`}>${colour(result.body)}</pre>`
        }
      </div>
    </div>
  `;
}

async function call(url: string, body: string, signIn: SignIn): Promise<Result> {
  const startedAt = performance.now();
  try {
    const response = await send(url, body, signIn);
    const text = await response.text();
    const ms = Math.round(performance.now() - startedAt);
    const isJson = /json/.test(response.headers.get('content-type') ?? '');
    return {
      line: `${response.status} ${response.statusText} in ${ms} ms`,
      isError: !response.ok,
      body: isJson ? indentJson(text) : text,
    };
  } catch (error) {
    return { line: 'Not sent', isError: true, body: (error as Error).message };
  }
}
