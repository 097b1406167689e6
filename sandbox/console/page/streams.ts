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
    const field = (name: string) => form.get(name) as string;
    setAsked({ stream: field('stream'), text: field('text'), times: asked.times + 1 });
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
      <${Entries} key=${times} stream=${stream} isWanted=${isWanted} item=${itemFor(text)} />
    </section>
  `;
}

const itemFor = (text: string) => (entry: Entry) =>
  html`
    <li key=${entry.id}>
      <details>
        <summary><code>${entry.id}</code> <span class="preview">${preview(entry, text)}</span></summary>
        <${Fields} ...${entry} />
      </details>
    </li>
  `;

const SHOWN = 200;
/** Characters before what was found. */
const BEFORE = 40;

/** The beginning of an entry, on a line; with a text that it does not show, the place of that. */
function preview({ fields }: Entry, text: string): string {
  const whole = fields.map(([name, value]) => `${name}: ${value.slice(0, 100)}`).join(', ');
  const wanted = text.toLowerCase();
  if (whole.slice(0, SHOWN).toLowerCase().includes(wanted)) return whole.slice(0, SHOWN);
  const [name, value = ''] = fields.find((field) => field.join('\0').toLowerCase().includes(wanted)) ?? [];
  const at = Math.max(0, value.toLowerCase().indexOf(wanted) - BEFORE);
  return name === undefined ? whole.slice(0, SHOWN) : `… ${name}: …${value.slice(at, at + SHOWN)}`;
}
