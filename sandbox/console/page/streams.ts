import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import { Entries, Fields, holds } from './entries.ts';
import type { ShardState } from '../messages.ts';
import type { Entry } from './read-entries.ts';

/** The entries of any stream, all or those that hold a text. */
export function Streams({ shards }: { shards: readonly ShardState[] }) {
  const [asked, setAsked] = useState({ stream: shards[0]!.stream, text: '', times: 0 });
  const ask = (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const of = (name: string) => form.get(name) as string;
    setAsked({ stream: of('stream'), text: of('text'), times: asked.times + 1 });
  };
  const { stream, text, times } = asked;
  const isWanted = text === '' ? undefined : (entry: Entry) => holds(entry, text);
  return html`
    <section aria-labelledby="entries">
      <h2 id="entries">Entries</h2>
      <form onSubmit=${ask} class="search">
        <label>Stream <input name="stream" list="streams" defaultValue=${stream} required /></label>
        <datalist id="streams">
          ${shards.map((shard) => html`<option key=${shard.stream} value=${shard.stream}></option>`)}
        </datalist>
        <label>Contains <input type="search" name="text" /></label>
        <button class="run">Show</button>
      </form>
      <${Entries} key=${times} stream=${stream} isWanted=${isWanted} item=${item} />
    </section>
  `;
}

const item = (entry: Entry) => html`
  <li key=${entry.id}>
    <details>
      <summary><code>${entry.id}</code> <span class="preview">${preview(entry)}</span></summary>
      <${Fields} ...${entry} />
    </details>
  </li>
`;

/** The beginning of an entry, on a line. */
const preview = ({ fields }: Entry): string =>
  fields
    .map(([name, value]) => `${name}: ${value.slice(0, 100)}`)
    .join(', ')
    .slice(0, 200);
