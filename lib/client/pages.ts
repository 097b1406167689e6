import { LAST_POSSIBLE_ID } from '../core/entry-id.ts';
import { OperationError } from './error.ts';
import type { Operations } from './operations.generated.ts';

/** Omits names from each member of a union. */
type Without<T, Names extends string> = T extends unknown ? Omit<T, Names> : never;

type Range = Operations['stream-xrange'];
type Search = Operations['mdm-search'];

/** What `entries` takes: the parameters of `stream-xrange`; `count` is the most entries of one call, default 500. */
export type EntriesInput = Omit<Range['input'], 'start' | 'end' | 'count'> &
  Partial<Pick<Range['input'], 'start' | 'end'>> & { count?: number };

/** An entry of a stream. */
export interface StreamEntry {
  id: string;
  entry: Range['output'][string];
}

/** What `records` takes: the parameters of `mdm-search`, but for paging; `pageSize` is the records of one call, default 200. */
export type RecordsInput = Without<
  Search['input'],
  'allPages' | 'pageOffset' | 'recordsToReturn' | 'recordOffset' | 'maxRecords'
>;

const ENTRIES_A_CALL = 500;
const RECORDS_A_CALL = 200;

/** Reads a range page by page; a page over 6 MB is asked for again in halves. */
export async function* readEntries(
  read: (input: Range['input']) => Promise<Range['output']>,
  { start = '-', end = '+', count = ENTRIES_A_CALL, ...rest }: EntriesInput,
): AsyncGenerator<StreamEntry, void, undefined> {
  let next = start;
  let size = count;
  for (;;) {
    let page: Range['output'];
    try {
      page = await read({ ...rest, start: next, end, count: size });
    } catch (error) {
      if (!(error instanceof OperationError) || error.status !== 413 || size <= 1) throw error;
      size = Math.ceil(size / 2);
      continue;
    }
    const entries = Object.entries(page);
    for (const [id, entry] of entries) yield { id, entry };
    const last = entries.at(-1)?.[0];
    if (last === undefined || entries.length < size || last === LAST_POSSIBLE_ID) return;
    next = `(${last}`;
    size = count;
  }
}

/** Reads the records of a search page by page, by the number of hits. What the API does not reach is its error, not an end. */
export async function* readRecords(
  search: (input: Search['input']) => Promise<Search['output']>,
  input: RecordsInput,
): AsyncGenerator<Record<string, unknown>, void, undefined> {
  const pageSize = input.pageSize ?? RECORDS_A_CALL;
  for (let pageOffset = 0; ; pageOffset++) {
    const { payload, attributes } = await search({ ...input, pageSize, pageOffset });
    const { records } = (payload as { searchResult: { records: Record<string, unknown>[] } }).searchResult;
    yield* records;
    const isLast =
      attributes.hits === undefined ? records.length === 0 : (pageOffset + 1) * pageSize >= attributes.hits;
    if (isLast) return;
  }
}
