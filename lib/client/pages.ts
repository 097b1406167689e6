import { LAST_POSSIBLE_ID } from '../core/entry-id.ts';
import { SEARCH_LIMIT, searchPages } from '../core/search-paging.ts';
import { OperationError } from './error.ts';
import type {
  EntriesById,
  FoundRecord,
  MdmSearchInput,
  MdmSearchInputCommon,
  OfEntity,
  SearchByFields,
  SearchByText,
  SearchOutput,
  StreamXrangeInput,
} from './operations.generated.ts';

/** Parameters of `entries`: those of `stream-xrange`. `count` is the maximum entries per call, default 500. */
export type EntriesInput = Omit<StreamXrangeInput, 'start' | 'end' | 'count'> &
  Partial<Pick<StreamXrangeInput, 'start' | 'end'>> & { count?: number };

/** An entry of a stream. */
export interface StreamEntry {
  id: string;
  entry: EntriesById[string];
}

/** Parameters of `records`: those of `mdm-search` without paging. `pageSize` is the records per call, default 200. */
export type RecordsInput<Entity extends string = string> = OfEntity<Entity> &
  Omit<MdmSearchInputCommon, 'businessEntity' | 'allPages' | 'maxRecords'> & { pageSize?: number } & (
    | SearchByText
    | SearchByFields
  );

const ENTRIES_A_CALL = 500;

/** Reads a range page by page. A page over 6 MB is read again in halves, and the next one is twice as long as it. */
export async function* readEntries(
  read: (input: StreamXrangeInput) => Promise<EntriesById>,
  { start = '-', end = '+', count = ENTRIES_A_CALL, ...rest }: EntriesInput,
): AsyncGenerator<StreamEntry, void, undefined> {
  let next = start;
  let size = count;
  for (;;) {
    let page: EntriesById;
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
    size = Math.min(count, size * 2);
  }
}

/**
 * Reads the records of a search page by page, each once.
 *
 * @throws {OperationError} `MDM:CLIENT_ERROR` (400) after the last record that a search reaches, if more may match;
 *   `MDM:SERVER_ERROR` (502) if the service repeats a page
 */
export async function* readRecords(
  search: (input: MdmSearchInput) => Promise<SearchOutput>,
  { pageSize, ...query }: RecordsInput,
): AsyncGenerator<FoundRecord, void, undefined> {
  const pages = searchPages({ pageSize });
  for (let paging = pages.next(); paging; paging = pages.next()) {
    const { payload, attributes } = await search({ ...query, ...paging });
    const { fresh, follows } = pages.take(payload.searchResult.records, attributes.hits);
    yield* fresh;
    if (follows === 'last') return;
    if (follows === 'repeats') throw unread('MDM:SERVER_ERROR', 502, 'The service repeats the same page');
  }
  throw unread('MDM:CLIENT_ERROR', 400, `A search reaches ${SEARCH_LIMIT} records, and more may match`);
}

const unread = (type: 'MDM:CLIENT_ERROR' | 'MDM:SERVER_ERROR', status: number, message: string) =>
  new OperationError('mdm-search', type, message, { status, retryable: false, outcome: 'not-sent' });
