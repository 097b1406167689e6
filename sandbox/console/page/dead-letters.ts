import { html } from 'htm/preact';
import { useRef, useState } from 'preact/hooks';
import { deadLetterStreamOf } from '#lib/consumer/redis-keys.ts';
import type { RedriveReport } from '#lib/contract/parameters/redrive.ts';
import { post } from './api.ts';
import { Confirmation, type Plan } from './confirmation.ts';
import { Entries, Fields, holds } from './entries.ts';
import type { ConsoleState } from '../messages.ts';
import { Outcome, type PutBack, valueOf } from './outcome.ts';
import type { Entry } from './read-entries.ts';
import { Select } from './select.ts';
import { clockTime, count, number } from './text.ts';

/** The most that go back at a time without being chosen one by one. */
const MOST = 1000;

/** Which letters are meant: these, or the oldest of a cause. */
type Selection = { ids: readonly string[] } | { count: number; errorType?: string; reason?: string };

/**
 * Dead letters of a shard: looked at, put back and deleted, one by one or together, after a look at what will happen.
 */
export function DeadLetters({ state }: { state: ConsoleState }) {
  const { shards, group } = state;
  const [chosen, setChosen] = useState<{ stream?: string; cause: string; text: string }>({ cause: '', text: '' });
  const [picked, setPicked] = useState<readonly string[]>([]);
  const [shown, setShown] = useState<readonly Entry[]>([]);
  const [plan, setPlan] = useState<Plan>();
  const [putBack, setPutBack] = useState<PutBack>();
  const [message, setMessage] = useState('');
  /** What this page did: letters that came or went in between can leave their number as it was. */
  const [changes, setChanges] = useState(0);
  const readAgain = () => setChanges((times) => times + 1);
  const result = useRef<HTMLDivElement>(null);

  const { deadLetters, letters, stream } =
    shards.find((shard) => shard.stream === chosen.stream) ?? shards.find((shard) => shard.letters > 0) ?? shards[0]!;
  const causes = deadLetters.filter(({ errorType }) => !errorType.startsWith('('));
  const { cause, text } = chosen;
  const [errorType, reason] = cause === '' ? [] : (JSON.parse(cause) as [string, string]);
  const choose = (change: Partial<typeof chosen>) => {
    setChosen({ ...chosen, stream, ...change });
    setPicked([]);
  };
  const isWanted = (letter: Entry) =>
    (errorType === undefined || valueOf(letter, 'dl-error-type') === errorType) &&
    (reason === undefined || valueOf(letter, 'dl-reason').includes(reason)) &&
    holds(letter, text);

  const redrive = (parameters: object) => post<RedriveReport>('stream/redrive', { stream, group, ...parameters });
  const say = (now: string, went?: PutBack) => {
    setMessage(now);
    setPutBack(went);
    setPicked([]);
    readAgain();
  };
  const attempt = (work: () => Promise<void>) => {
    setChosen({ ...chosen, stream }); // the list stays at this shard when it has no letters left
    setMessage(''); // it spoke of what was done before, and may be the same once this is done
    return work().catch((error: unknown) => say((error as Error).message));
  };
  const move = async (selection: Selection, force: boolean) => {
    const { entries } = await redrive({ ...selection, force });
    const ids = entries.flatMap(({ redrivenAs }) => redrivenAs ?? []);
    if (ids.length === 0) say('None could be put back: they are gone, or hold nothing that can go back.');
    else say('', { stream, ids });
  };
  const planMove = (selection: Selection) =>
    attempt(async () => {
      const { entries, superseded: staying } = await redrive({ ...selection, dryRun: true });
      const going = entries.filter(({ superseded }) => !superseded).length;
      const goes = `${count(going, 'dead letter')} will be put back at the end of ${stream}.`;
      const stays =
        `${count(staying, 'dead letter')} ${staying === 1 ? 'stays' : 'stay'}: a later entry of the same key was ` +
        'processed or waits. Put back all the same, old values overwrite newer ones.';
      setPlan({
        title: 'Put back',
        lines: [...(staying > 0 && going === 0 ? [] : [goes]), ...(staying > 0 ? [stays] : [])],
        steps: [
          ...(going > 0 ? [{ label: `Put back ${number(going)}`, take: () => move(selection, false) }] : []),
          ...(staying > 0 ? [{ label: 'Put back all the same', take: () => move(selection, true) }] : []),
        ],
      });
    });
  const planDelete = (ids: readonly string[]) => {
    const take = async () => {
      const deleted = await post<number>('stream/xdel', { key: deadLetterStreamOf(stream, group), ids });
      say(`${count(deleted, 'dead letter')} deleted.`);
    };
    setPlan({
      title: 'Delete',
      lines: [`${count(ids.length, 'dead letter')} will be deleted for good, and never processed.`],
      steps: [{ label: `Delete ${number(ids.length)}`, take }],
    });
  };
  const actionsOn = (ids: readonly string[]) => html`
    <button onClick=${() => planMove({ ids })}>Put back…</button>
    <button onClick=${() => planDelete(ids)}>Delete…</button>
  `;
  const item = (letter: Entry) => {
    const { id, fields } = letter;
    const field = (name: string) => valueOf(letter, `dl-${name}`);
    const pick = () => setPicked(picked.includes(id) ? picked.filter((other) => other !== id) : [...picked, id]);
    return html`
      <li key=${id} class="pickable">
        <input type="checkbox" aria-label=${`Choose ${id}`} checked=${picked.includes(id)} onChange=${pick} />
        <details>
          <summary><strong>${field('error-type')}</strong> ${field('reason')}</summary>
          <p class="quiet">
            Given up at ${clockTime(field('time'))} after
            ${count(Number(field('deliveries')), 'delivery', 'deliveries')}; dead letter <code>${id}</code>, once entry
            <code>${field('source-id')}</code>
          </p>
          <${Fields} id=${id} fields=${fields.filter(([name]) => !name.startsWith('dl-'))} />
          <div class="buttons">${actionsOn([id])}</div>
        </details>
      </li>
    `;
  };

  return html`
    <section aria-labelledby="dead-letters">
      <h2 id="dead-letters">Dead letters</h2>
      <form
        class="search"
        onSubmit=${(event: SubmitEvent) => {
          event.preventDefault();
          choose({ text: new FormData(event.currentTarget as HTMLFormElement).get('text') as string });
        }}
      >
        <${Select}
          label="Stream"
          value=${stream}
          options=${shards.map((shard) => [shard.stream, `${shard.stream} (${number(shard.letters)})`])}
          onChoose=${(value: string) => choose({ stream: value, cause: '' })}
        />
        <${Select}
          label="Cause"
          value=${cause}
          options=${[
            ['', 'any'],
            ...causes.map((known) => [
              JSON.stringify([known.errorType, known.reason]),
              `${known.errorType}: ${known.reason} (${number(known.count)})`,
            ]),
          ]}
          onChoose=${(value: string) => choose({ cause: value })}
        />
        <label>Contains <input type="search" name="text" /></label>
        <button class="run">Show</button>
      </form>
      <div ref=${result} role="status" tabindex="-1">
        ${message && html`<p>${message}</p>`}
        ${putBack && html`<${Outcome} putBack=${putBack} group=${group} onChange=${readAgain} />`}
      </div>
      <div class="buttons">
        ${
          picked.length > 0
            ? html`<span>${number(picked.length)} chosen</span> ${actionsOn(picked)}
                <button onClick=${() => setPicked([])}>Choose none</button>`
            : html`
                <button disabled=${shown.length === 0} onClick=${() => setPicked(shown.map(({ id }) => id))}>
                  Choose these ${number(shown.length)}
                </button>
                ${
                  text === '' &&
                  html`<button
                    disabled=${shown.length === 0}
                    onClick=${() => planMove({ count: MOST, ...(cause && { errorType, reason }) })}
                  >
                    Put back ${letters > MOST ? `the oldest ${number(MOST)}` : 'all'}…
                  </button>`
                }
              `
        }
      </div>
      <${Entries}
        key=${JSON.stringify([stream, cause, text])}
        stream=${deadLetterStreamOf(stream, group)}
        isWanted=${cause === '' && text === '' ? undefined : isWanted}
        item=${item}
        version=${`${letters} ${changes}`}
        onShow=${setShown}
      />
      ${
        plan &&
        html`<${Confirmation}
          key=${plan}
          plan=${plan}
          attempt=${attempt}
          onClose=${(isDone: boolean) => {
            setPlan((current) => (current === plan ? undefined : current)); // the next may have been opened by now
            if (isDone) result.current!.focus();
          }}
        />`
      }
    </section>
  `;
}
