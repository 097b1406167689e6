import { html } from 'htm/preact';
import { useRef, useState } from 'preact/hooks';
import { post } from './api.ts';
import { Consumer } from './consumer.ts';
import type { Condition, ConsoleState } from '../messages.ts';
import { count, number } from './text.ts';

const CONDITIONS: Option<Condition>[] = [
  { value: 'healthy', label: 'Healthy' },
  { value: 'unavailable', label: '503' },
  { value: 'slow', label: 'Slow' },
  { value: 'refuses-logins', label: 'Refuses logins' },
];
const RATES: Option<number>[] = [
  { value: 0, label: 'Off' },
  { value: 5, label: '5' },
  { value: 50, label: '50' },
];

/** By then the state has what was chosen. */
const SETTLED_MS = 3000;

/** The switch that breaks the MDM, the one that feeds the stream, and what the consumer does next. */
export function Controls({ state }: { state: ConsoleState }) {
  const { condition, feed, mdm } = state;
  const setCondition = (value: Condition) => post('console/mdm', { condition: value });
  const setRate = (perSecond: number) => post('console/feed', { perSecond });
  return html`
    <section aria-label="Switches" class="controls">
      <${Choice} name="condition" title="Sandbox MDM" options=${CONDITIONS} value=${condition} onChoose=${setCondition}>
        ${count(mdm.requests, 'request')}, ${count(mdm.logins, 'login')}, ${number(mdm.refusedLogins)} refused;
        ${' '}${count(mdm.golden, 'golden record')} of ${count(mdm.sources, 'source record')}
      <//>
      <${Choice}
        name="feed"
        title="Feed, records a second"
        options=${RATES}
        value=${feed.perSecond}
        onChoose=${setRate}
      >
        ${number(feed.enqueued)} enqueued, ${number(feed.failed)} refused
      <//>
      <${Consumer} state=${state} />
    </section>
  `;
}

interface Option<T> {
  value: T;
  label: string;
}

interface ChoiceProps<T> {
  name: string;
  title: string;
  options: readonly Option<T>[];
  value: T;
  onChoose: (value: T) => Promise<unknown>;
  /** What came of it. */
  children: unknown;
}

/** Shows what was chosen last until the state has it, too. Choices are sent one by one: the last one holds. */
function Choice<T>({ name, title, options, value: current, onChoose, children }: ChoiceProps<T>) {
  const [asked, setAsked] = useState<T>();
  const sent = useRef<Promise<unknown>>(Promise.resolve());
  const choose = (value: T) => {
    const forget = () => setTimeout(() => setAsked((now) => (now === value ? undefined : now)), SETTLED_MS);
    setAsked(() => value);
    sent.current = sent.current.then(() => onChoose(value)).then(forget, forget); // a failure shows in the state
  };
  const chosen = asked ?? current;
  return html`
    <fieldset>
      <legend>${title}</legend>
      ${options.map(
        ({ value, label }) => html`
          <label key=${value}>
            <input
              type="radio"
              name=${name}
              value=${value}
              checked=${chosen === value}
              onChange=${() => choose(value)}
            />
            ${label}
          </label>
        `,
      )}
      <p class="quiet">${children}</p>
    </fieldset>
  `;
}
