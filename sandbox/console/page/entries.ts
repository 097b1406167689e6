import { html } from 'htm/preact';
import { useEffect, useState } from 'preact/hooks';
import { post } from './api.ts';
import { type Entry, type Page, PAGE_SIZE, readPage } from './read-entries.ts';
import { Table } from './table.ts';
import { count, number } from './text.ts';

/** Longest value that is shown, in characters. */
const MAX_SHOWN = 10_000;

interface EntriesProps {
  /** Key of the stream. */
  stream: string;
  /** Which are shown; all, where there is none. Another choice needs another `key` of this component. */
  isWanted?: (entry: Entry) => boolean;
  /** A list item of an entry. */
  item: (entry: Entry) => unknown;
  /** The page is read again when this changes. */
  version?: unknown;
  /** Gets the entries that are shown. */
  onShow?: (entries: readonly Entry[]) => void;
}

/** A stream page by page, newest first. However long it is, no more than a page is kept. */
export function Entries({ stream, isWanted, item, version, onShow }: EntriesProps) {
  const [starts, setStarts] = useState<readonly string[]>(['+']);
  const [shown, setShown] = useState<Page & { total: number }>();
  const [problem, setProblem] = useState('');

  useEffect(() => {
    let isCurrent = true;
    const load = async () => {
      const [page, total] = await Promise.all([
        readPage(stream, starts.at(-1)!, isWanted),
        post<number>('stream/xlen', { key: stream }),
      ]);
      if (!isCurrent) return;
      setShown({ ...page, total });
      setProblem('');
      onShow?.(page.entries);
    };
    load().catch((error: unknown) => isCurrent && setProblem((error as Error).message));
    return () => (isCurrent = false);
  }, [starts, version]);

  if (problem) return html`<p role="alert" class="status error">${problem}</p>`;
  if (!shown) return html`<p role="status">Looking…</p>`;
  const { entries, next, scanned, total } = shown;
  const first = (starts.length - 1) * PAGE_SIZE + 1;
  const lookedAt = count(scanned, 'entry', 'entries');
  return html`
    <p role="status">
      ${
        isWanted
          ? `${number(entries.length)} of the ${lookedAt} looked at; the stream has ${number(total)}.`
          : entries.length === 0
            ? 'None.'
            : `${number(first)} to ${number(first + entries.length - 1)} of ${number(total)}, newest first.`
      }
    </p>
    <ul class="entries">
      ${entries.map(item)}
    </ul>
    <div class="buttons">
      <button disabled=${starts.length === 1} onClick=${() => setStarts(starts.slice(0, -1))}>Newer</button>
      <button disabled=${next === undefined} onClick=${() => setStarts([...starts, next!])}>Older</button>
    </div>
  `;
}

/** All fields of an entry. */
export function Fields({ id, fields }: Entry) {
  return html`
    <${Table} label=${`Fields of ${id}`} columns=${['Field', 'Value']} isTall>
      ${fields.map(
        ([name, value], at) => html`
          <tr key=${at}>
            <th scope="row">${name}</th>
            <td class="value">${readable(value)}</td>
          </tr>
        `,
      )}
    <//>
  `;
}

/** JSON is indented, unless that would round its numbers; what is very long is cut. */
function readable(value: string): string {
  if (value.length > MAX_SHOWN) return `${value.slice(0, MAX_SHOWN)}… (${count(value.length, 'character')})`;
  if (/\d{16}/.test(value)) return value;
  try {
    const parsed: unknown = JSON.parse(value);
    return typeof parsed === 'object' ? JSON.stringify(parsed, null, 2) : value;
  } catch {
    return value;
  }
}

/** Whether an id, a name or a value of an entry holds a text, in any case. */
export function holds({ id, fields }: Entry, text: string): boolean {
  const wanted = text.toLowerCase();
  return [id, ...fields.flat()].some((part) => part.toLowerCase().includes(wanted));
}
