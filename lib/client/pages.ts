import { LAST_POSSIBLE_ID } from '../core/entry-id.ts';
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
    SearchByText | SearchByFields
  );

const ENTRIES_A_CALL = 500;
const RECORDS_A_CALL = 200;

/** Reads a range page by page. A page over 6 MB is read again in halves. */
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
    size = count;
  }
}

/**
 * Reads the records of a search page by page, by the number of hits. Throws the API's error for records out of its
 * reach.
 */
export async function* readRecords(
  search: (input: MdmSearchInput) => Promise<SearchOutput>,
  input: RecordsInput,
): AsyncGenerator<FoundRecord, void, undefined> {
  const pageSize = input.pageSize ?? RECORDS_A_CALL;
  for (let pageOffset = 0; ; pageOffset++) {
    const { payload, attributes } = await search({ ...input, pageSize, pageOffset });
    const { records } = payload.searchResult;
    yield* records;
    const isLast =
      attributes.hits === undefined ? records.length === 0 : (pageOffset + 1) * pageSize >= attributes.hits;
    if (isLast) return;
  }
}
