import { html } from 'htm/preact';
import { post } from './api.ts';
import type { Condition, ConsoleState } from '../messages.ts';

const CONDITIONS: { value: Condition; label: string }[] = [
  { value: 'healthy', label: 'Healthy' },
  { value: 'unavailable', label: '503' },
  { value: 'slow', label: 'Slow' },
  { value: 'refuses-logins', label: 'Refuses logins' },
];
const RATES = [0, 5, 50];

/** The switch that breaks the MDM, and the one that feeds the stream. */
export function Controls({ state }: { state: ConsoleState }) {
  const { condition, feed, mdm } = state;
  const setCondition = (value: Condition) => post('console/mdm', { condition: value });
  const setRate = (perSecond: number) => post('console/feed', { perSecond });
  return html`
    <section aria-label="Switches" class="controls">
      <fieldset>
        <legend>Sandbox MDM</legend>
        ${CONDITIONS.map(
          ({ value, label }) => html`
            <label key=${value}>
              <input
                type="radio"
                name="condition"
                value=${value}
                checked=${condition === value}
                onChange=${() => setCondition(value)}
              />
              ${label}
            </label>
          `,
        )}
        <p class="quiet">
          ${mdm.requests.toLocaleString('en')} requests, ${mdm.logins} logins, ${mdm.refusedLogins} refused,${' '}
          ${mdm.golden.toLocaleString('en')} golden records of ${mdm.sources.toLocaleString('en')} source records
        </p>
      </fieldset>
      <fieldset>
        <legend>Feed</legend>
        ${RATES.map(
          (rate) => html`
            <label key=${rate}>
              <input
                type="radio"
                name="feed"
                value=${rate}
                checked=${feed.perSecond === rate}
                onChange=${() => setRate(rate)}
              />
              ${rate === 0 ? 'Off' : `${rate} records a second`}
            </label>
          `,
        )}
        <p class="quiet">${feed.enqueued.toLocaleString('en')} enqueued, ${feed.failed.toLocaleString('en')} refused</p>
      </fieldset>
    </section>
  `;
}
