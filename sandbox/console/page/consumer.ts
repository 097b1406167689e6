import { html } from 'htm/preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { RunReport } from '#lib/contract/parameters/consumer.ts';
import { post } from './api.ts';
import { type ConsoleState, SCHEDULE_MS } from '../messages.ts';
import { Select } from './select.ts';
import { clockTime, count, number } from './text.ts';

/** Milliseconds, and their names. */
const PAUSES = [
  ['60000', '1 minute'],
  ['600000', '10 minutes'],
  ['3600000', '1 hour'],
] as const;

const RUN_NOW = 'Run now';

/** When the schedule starts a run that can work: after the target's rest, and after a pause. */
function nextRunAt({ at, shards }: ConsoleState): number {
  const from = shards.map(({ restMs, pausedUntil }) => Math.max(at + restMs, Date.parse(pausedUntil ?? '') || 0));
  return Math.ceil((Math.min(...from) + 1) / SCHEDULE_MS) * SCHEDULE_MS;
}

/** Says when the consumer runs next; runs it now, pauses it, resumes it. */
export function Consumer({ state }: { state: ConsoleState }) {
  const { at, shards, condition } = state;
  const next = nextRunAt(state);
  const paused = shards.find(({ run }) => run === 'paused');
  const rest = Math.min(...shards.map(({ restMs }) => restMs));
  const limit = shards.find(({ ratePerSecond }) => ratePerSecond !== null)?.ratePerSecond;
  const [label, setLabel] = useState(RUN_NOW);
  const [message, setMessage] = useState('');
  const [pauseMs, setPauseMs] = useState<string>(PAUSES[0][0]);
  const before = useRef(condition);
  useEffect(() => {
    if (condition === 'healthy' && before.current !== 'healthy') {
      const healed = `Healthy again. The next run comes at ${clockTime(next)}.`;
      setMessage(healed);
      setTimeout(() => setMessage((now) => (now === healed ? '' : now)), next - at);
    }
    before.current = condition;
  }, [condition]);

  const attempt = (work: Promise<string>) => work.catch((error: unknown) => (error as Error).message).then(setMessage);
  const pause = (parameters: object, done: string) => attempt(post('stream/pause', parameters).then(() => done));
  const run = async () => {
    setLabel(rest > 0 ? 'Runs after the rest…' : 'Running…');
    await new Promise((resolve) => setTimeout(resolve, rest)); // a run before that ends at once
    setLabel('Running…');
    await attempt(post<RunReport>('console/run', {}).then(tell));
    setLabel(RUN_NOW);
  };
  return html`
    <fieldset>
      <legend>Consumer</legend>
      <div class="buttons">
        <button class="run" disabled=${paused || label !== RUN_NOW} onClick=${run}>${label}</button>
        ${
          paused
            ? html`<button onClick=${() => pause({ resume: true }, 'Resumed.')}>Resume</button>`
            : html`
                <span class="together">
                  <button onClick=${() => pause({ forMs: Number(pauseMs) }, 'Paused. Entries wait.')}>Pause</button>
                  <${Select} label="for" value=${pauseMs} options=${PAUSES} onChoose=${setPauseMs} />
                </span>
              `
        }
      </div>
      <p class="quiet">
        ${
          paused
            ? `Paused until ${paused.pausedUntil === null ? 'you resume it' : clockTime(paused.pausedUntil)}.`
            : `Next scheduled run at ${clockTime(next)}, in ${number(Math.ceil((next - at) / 1000))} s.`
        }
        ${rest > 0 && ` The target rests for ${number(Math.ceil(rest / 1000))} s more.`}
        ${limit && ` At most ${count(limit, 'call')} to the target a second.`}
      </p>
      <p role="status">${message}</p>
    </fieldset>
  `;
}

function tell({ processed, failed, deadLettered, stoppedBecause }: RunReport): string {
  const did = `${number(processed)} processed, ${number(failed)} failed, ${count(deadLettered, 'dead letter')}`;
  return `The run ended (${stoppedBecause}): ${did}.`;
}
