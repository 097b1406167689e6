import { html } from 'htm/preact';
import { useEffect, useState } from 'preact/hooks';
import { get, post } from './api.ts';
import type { DeadLetterRow } from '../messages.ts';

interface Redriven {
  redriven: number;
  remaining: number;
}

/** Dead letters with reason and entry, and a button a shard that puts them back. */
export function DeadLetters({ count, group }: { count: number; group: string }) {
  const [letters, setLetters] = useState<readonly DeadLetterRow[]>([]);
  const [message, setMessage] = useState('');
  useEffect(() => {
    void get<DeadLetterRow[]>('console/dead-letters').then(setLetters);
  }, [count]);
  const redrive = async (stream: string) => {
    try {
      const { redriven, remaining } = await post<Redriven>('stream/redrive', { stream, group });
      setMessage(`${redriven} put back to ${stream}, ${remaining} remain.`);
    } catch (error) {
      setMessage((error as Error).message);
    }
  };
  return html`
    <section aria-labelledby="dead-letters">
      <h2 id="dead-letters">Dead letters</h2>
      <p role="status">${message}</p>
      ${[...Map.groupBy(letters, ({ stream }) => stream)].map(
        ([stream, members]) => html`
          <div key=${stream} class="letters">
            <h3><code>${stream}</code> <button onClick=${() => redrive(stream)}>Redrive</button></h3>
            <ul>
              ${members.map(
                ({ id, reason, errorType, deliveries, entry }) => html`
                  <li key=${id}>
                    <details>
                      <summary><strong>${errorType}</strong> ${reason}</summary>
                      <p class="quiet">after ${deliveries} deliveries, letter ${id}</p>
                      <pre tabindex="0">${JSON.stringify(entry, null, 2)}</pre>
                    </details>
                  </li>
                `,
              )}
            </ul>
          </div>
        `,
      )}
      ${letters.length === 0 && html`<p>None.</p>`}
    </section>
  `;
}
