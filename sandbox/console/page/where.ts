import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import type { EntryStatus, EntryStatusReport } from '#lib/contract/parameters/entry-status.ts';
import { post } from './api.ts';
import { useLatest } from './latest.ts';
import { Table } from './table.ts';
import { clockTime, number } from './text.ts';

const COLUMNS = ['Entry', 'Shard', 'State', 'Attempts', 'Next try', 'Last failure'];

/** Asks the consumer where entries are, by the ids that an enqueue returned. */
export function WhereIsMyRecord() {
  const [report, setReport] = useState<EntryStatusReport>();
  const [message, setMessage] = useState('');
  const latest = useLatest(setMessage);
  const ask = (event: SubmitEvent) => {
    event.preventDefault();
    const text = new FormData(event.currentTarget as HTMLFormElement).get('ids') as string;
    const ids = text.split(/[\s,]+/).filter((id) => id !== '');
    return latest(post<EntryStatusReport>('stream/entry-status', { ids }), (found) => {
      setReport(found);
      setMessage(found.complete ? '' : 'There are too many dead letters to search: done and unknown are not certain.');
    });
  };
  return html`
    <section aria-labelledby="where">
      <h2 id="where">Where is my record?</h2>
      <form onSubmit=${ask} class="search">
        <label>Ids of entries <input name="ids" placeholder="1763642880000-0" required /></label>
        <button class="run">Find</button>
      </form>
      <p role="status">${message}</p>
      ${report && html`<${Table} label="Entries and their state" columns=${COLUMNS}>${report.entries.map(row)}<//>`}
    </section>
  `;
}

const row = ({ id, stream, state, attempts, nextTryAt, lastFailure, letterId }: EntryStatus) => html`
  <tr key=${id}>
    <th scope="row"><code>${id}</code></th>
    <td>${stream ?? '–'}</td>
    <td>${state}${letterId === null ? '' : ` ${letterId}`}</td>
    <td>${number(attempts)}</td>
    <td>${nextTryAt === null ? '–' : clockTime(nextTryAt)}</td>
    <td>${lastFailure === null ? '–' : `${lastFailure.type}: ${lastFailure.detail}`}</td>
  </tr>
`;
