import { html } from 'htm/preact';
import type { RunLine } from '../messages.ts';
import { Table } from './table.ts';

const COLUMNS = ['Ended', 'Processed', 'Failed', 'Dead', 'Took', 'Because'];

/** The last runs of the consumer. */
export function Runs({ runs }: { runs: readonly RunLine[] }) {
  return html`
    <section aria-labelledby="runs">
      <h2 id="runs">Runs</h2>
      <${Table} label="Runs of the consumer, newest first" columns=${COLUMNS} isTall>
        ${runs.map(
          (run, index) => html`
            <tr key=${`${run.time} ${index}`}>
              <td>${new Date(run.time).toLocaleTimeString('en-GB')}</td>
              <td>${run.processed}</td>
              <td>${run.failed}</td>
              <td>${run.deadLettered}</td>
              <td>${(run.runMs / 1000).toFixed(1)} s</td>
              <td>${run.stoppedBecause}</td>
            </tr>
          `,
        )}
      <//>
    </section>
  `;
}
