import { html } from 'htm/preact';
import { useEffect, useState } from 'preact/hooks';
import { deadLetterStreamOf } from '#lib/consumer/redis-keys.ts';
import { compareIds } from '#lib/core/entry-id.ts';
import { post } from './api.ts';
import { type Entry, readRange } from './read-entries.ts';
import { number } from './text.ts';

const POLL_MS = 1000;
const PORTION = 100;
/** Pending entries that are looked at. */
const MAX_PENDING = 10_000;

/** Where dead letters went, and the ids that they have there. */
export interface PutBack {
  readonly stream: string;
  readonly ids: readonly string[];
}

interface Standing {
  readonly waiting: number;
  readonly processed: number;
  /** How many became dead letters again, by reason. */
  readonly back: ReadonlyMap<string, number>;
}

interface OutcomeProps {
  putBack: PutBack;
  group: string;
  /** Called when some were processed or came back. */
  onChange: () => void;
}

/** Says what became of dead letters that were put back, until none waits any more. */
export function Outcome({ putBack, group, onChange }: OutcomeProps) {
  const [standing, setStanding] = useState<Standing>({ waiting: putBack.ids.length, processed: 0, back: new Map() });
  const [problem, setProblem] = useState('');
  useEffect(() => {
    let isOpen = true;
    const readStanding = follow(putBack, group);
    const poll = async () => {
      let isOver = false;
      try {
        const now = await readStanding();
        setStanding(now);
        setProblem('');
        isOver = now.waiting === 0;
      } catch (error) {
        setProblem((error as Error).message);
      }
      if (isOpen && !isOver) setTimeout(poll, POLL_MS);
    };
    void poll();
    return () => (isOpen = false);
  }, [putBack]);
  const { waiting, processed, back } = standing;
  useEffect(onChange, [waiting]);
  const counts = [
    ...(waiting > 0 ? [`${number(waiting)} ${waiting === 1 ? 'waits' : 'wait'} for a run`] : []),
    ...(processed > 0 ? [`${number(processed)} processed`] : []),
  ];
  const reasons = Array.from(back, ([reason, times]) => `${number(times)} came back: ${reason}`).join('; ');
  return html`
    <p>Put back ${number(putBack.ids.length)}: ${[...counts, ...(reasons === '' ? [] : [reasons])].join(', ')}.</p>
    ${problem && html`<p class="status error">${problem}</p>`}
  `;
}

/** One check of the entries' outcomes; each continues where the previous one ended. */
function follow({ stream, ids }: PutBack, group: string): () => Promise<Standing> {
  const oldestFirst = [...ids].sort(compareIds);
  const [first, last] = [oldestFirst[0]!, oldestFirst.at(-1)!];
  const key = deadLetterStreamOf(stream, group);
  const reasons = new Map<string, string>(ids.map((id) => [id, '']));
  let start = first.split('-')[0]!; // in the same millisecond a letter may have the smaller id
  return async () => {
    const waiting = await findWaiting(stream, group, { first, last });
    // letters after waiting entries: one that comes back in between is not missed
    for (let isLast = false; !isLast;) {
      const letters = await readRange('stream/xrange', { key, start, end: '+', count: PORTION });
      for (const letter of letters) {
        const sourceId = valueOf(letter, 'dl-source-id');
        if (reasons.has(sourceId)) reasons.set(sourceId, valueOf(letter, 'dl-reason'));
        start = `(${letter.id}`;
      }
      isLast = letters.length < PORTION;
    }
    const back = ids.flatMap((id) => reasons.get(id) || []);
    const waits = ids.filter((id) => !reasons.get(id) && waiting(id)).length;
    const byReason = Map.groupBy(back, (reason) => reason);
    return {
      waiting: waits,
      processed: ids.length - back.length - waits,
      back: new Map(Array.from(byReason, ([reason, all]) => [reason, all.length])),
    };
  };
}

interface Delivered {
  name: string;
  'last-delivered-id': string;
}

/** Tells which entries of a range are unread or pending. What is unread is asked first: it can only become pending. */
async function findWaiting(stream: string, group: string, { first, last }: { first: string; last: string }) {
  const groups = await post<Delivered[]>('stream/xinfo-groups', { key: stream });
  const delivered = groups.find(({ name }) => name === group)?.['last-delivered-id'] ?? '0-0';
  const range = { key: stream, group, start: first, end: last, count: MAX_PENDING };
  const pending = new Set((await post<{ id: string }[]>('stream/xpending', range)).map(({ id }) => id));
  return (id: string): boolean => compareIds(id, delivered) > 0 || pending.has(id);
}

/** The value of a field, the last one where the name comes twice. */
export const valueOf = ({ fields }: Entry, wanted: string): string =>
  fields.findLast(([name]) => name === wanted)?.[1] ?? '';
