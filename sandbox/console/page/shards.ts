import { html } from 'htm/preact';
import { explainStatus } from '#lib/contract/explain-status.ts';
import type { ShardState } from '../messages.ts';
import { Table } from './table.ts';
import { number, seconds } from './text.ts';

const COLUMNS = ['Stream', 'Length', 'Lag', 'Pending', 'Oldest (s)', 'Run', 'Breaker', 'Dead letters'];

/** Age of the oldest entry that is unread or pending. */
export const oldestMs = ({ oldestPendingMs, oldestUnreadMs }: ShardState): number =>
  Math.max(oldestPendingMs ?? 0, oldestUnreadMs ?? 0);

/** Every shard with its group's state. */
export function Shards({ shards, at }: { shards: readonly ShardState[]; at: number }) {
  return html`
    <section aria-labelledby="shards">
      <h2 id="shards">Shards</h2>
      <${Table} label="Shards and their state" columns=${COLUMNS}>
        ${shards.map((shard) => {
          const { stream, length, lag, pending, run, breaker, letters } = shard;
          const explained = explainStatus(shard, at);
          return html`
            <tr key=${stream}>
              <th scope="row"><code>${stream}</code></th>
              <td>${number(length)}</td>
              <td>${lag === null ? 'unknown' : number(lag)}</td>
              <td>${number(pending)}</td>
              <td>${oldestMs(shard) === 0 ? '–' : seconds(oldestMs(shard))}</td>
              <td>${run}</td>
              <td><span class=${`badge ${breaker}`}>${breaker}</span></td>
              <td>${number(letters)}</td>
            </tr>
            ${
              explained &&
              html`<tr key=${`${stream} failure`} class="failure">
                <td colspan=${COLUMNS.length}>${explained}</td>
              </tr>`
            }
          `;
        })}
      <//>
    </section>
  `;
}
