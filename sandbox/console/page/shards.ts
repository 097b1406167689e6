import { html } from 'htm/preact';
import type { ShardState } from '../messages.ts';
import { Table } from './table.ts';

const COLUMNS = ['Stream', 'Length', 'Lag', 'Pending', 'Oldest', 'Run', 'Breaker', 'Dead letters'];

const seconds = (ms: number) => (ms === 0 ? '–' : `${(ms / 1000).toFixed(1)} s`);

/** Every shard with its group's state. */
export function Shards({ shards }: { shards: readonly ShardState[] }) {
  return html`
    <section aria-labelledby="shards">
      <h2 id="shards">Shards</h2>
      <${Table} label="Shards and their state" columns=${COLUMNS}>
        ${shards.map(
          ({ stream, length, lag, pending, oldestMs, run, breaker, deadLetters }) => html`
            <tr key=${stream}>
              <th scope="row"><code>${stream}</code></th>
              <td>${length.toLocaleString('en')}</td>
              <td>${lag?.toLocaleString('en') ?? 'unknown'}</td>
              <td>${pending.toLocaleString('en')}</td>
              <td>${seconds(oldestMs)}</td>
              <td>${run}</td>
              <td><span class=${`badge ${breaker}`}>${breaker}</span></td>
              <td>${deadLetters.toLocaleString('en')}</td>
            </tr>
          `,
        )}
      <//>
    </section>
  `;
}
