import { html } from 'htm/preact';
import type { RunHistory } from '../messages.ts';
import { Table } from './table.ts';
import { clockTime, count, number, seconds } from './text.ts';

const COLUMNS = ['Ended', 'Processed', 'Failed', 'Dead letters', 'Took (s)', 'Because'];

/** The last runs of the consumer. */
export function Runs({ history: { runs, held } }: { history: RunHistory }) {
  return html`
    <section aria-labelledby="runs">
      <h2 id="runs">Runs</h2>
      <${Table} label="Runs of the consumer, newest first" columns=${COLUMNS} isTall>
        ${runs.map(
          (run, index) => html`
            <tr key=${`${run.time} ${index}`}>
              <td>${clockTime(run.time)}</td>
              <td>${number(run.processed)}</td>
              <td>${number(run.failed)}</td>
              <td>${number(run.deadLettered)}</td>
              <td>${seconds(run.runMs)}</td>
              <td>${run.stoppedBecause}</td>
            </tr>
          `,
        )}
      <//>
      ${
        held.count > 0 &&
        html`<p class="quiet">
          ${count(held.count, 'more run')} ended at once, because other runs had every shard (<code>lease-held</code>);
          the last at ${clockTime(held.last)}.
        </p>`
      }
    </section>
  `;
}
