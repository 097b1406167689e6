/** A search reaches no record beyond this one. */
export const SEARCH_LIMIT = 10_000;
/** A page of 200 ends exactly at the limit. */
const PAGE_SIZE = 200;

/** What a caller asks for, in one of the two families of parameters. */
interface Asked {
  readonly pageSize?: number | undefined;
  readonly pageOffset?: number | undefined;
  readonly recordsToReturn?: number | undefined;
  readonly recordOffset?: number | undefined;
}

/** The parameters of one request. */
export type Paging =
  | { readonly pageSize: number; readonly pageOffset: number }
  | { readonly recordsToReturn: number; readonly recordOffset: number };

/** What comes after a page: it may be the last, have a successor, or be a repetition. */
export type Follows = 'last' | 'more' | 'repeats';

/** The pages of a search. */
export interface SearchPages {
  /** The next page to request; undefined after the last reachable one. */
  next(): Paging | undefined;
  /**
   * Takes the records of the requested page, and the number of all matching records if the service reports it. Returns
   * those that no earlier page had: records may move, and pages overlap.
   */
  take<T>(records: readonly T[], hits: number | undefined): { readonly fresh: T[]; readonly follows: Follows };
}

/**
 * The pages of a search, from the requested one.
 *
 * Trusts neither the requested page size nor the one in the response: services return smaller pages, and omit records
 * that the user may not read. Only the contents of a page are certain.
 *
 * @example
 * const pages = searchPages({ pageSize: 100 });
 * for (let paging = pages.next(); paging; paging = pages.next()) pages.take(await read(paging), hits);
 */
export function searchPages(asked: Asked): SearchPages {
  const isByRecord = asked.recordsToReturn !== undefined || asked.recordOffset !== undefined;
  const cursor = isByRecord ? recordCursor(asked) : numberedCursor(asked);
  const seen = new Set<string>();
  return {
    next: () => cursor.next(),
    take(records, hits) {
      const ids = records.map(idOf);
      const fresh = records.filter((_, index) => isNew(seen, ids[index]));
      const identified = ids.filter((id) => id !== undefined).length;
      return { fresh, follows: cursor.advance({ count: records.length, fresh: fresh.length, identified, hits }) };
    },
  };
}

/** A record without an id counts as new. */
function isNew(seen: Set<string>, id: string | undefined): boolean {
  if (id === undefined) return true;
  const { size } = seen;
  return seen.add(id).size > size;
}

function idOf(record: unknown): string | undefined {
  const id = (record as { _meta?: { businessId?: unknown } } | null)?._meta?.businessId;
  return id === undefined || id === null ? undefined : JSON.stringify(id);
}

/** The contents of a page. */
interface PageSeen {
  /** Its records. */
  readonly count: number;
  /** Records that no earlier page had. */
  readonly fresh: number;
  /** Records with an id. */
  readonly identified: number;
  readonly hits: number | undefined;
}

/** Chooses the next page. */
interface PageCursor {
  next(): Paging | undefined;
  advance(page: PageSeen): Follows;
}

/**
 * By `recordsToReturn` and `recordOffset`: the offset is certain, the reach of a page is not. A page is assumed to
 * reach as far as the largest one so far, so it may repeat records of the previous page.
 */
function recordCursor({ recordsToReturn: size = PAGE_SIZE, recordOffset: first = 0 }: Asked): PageCursor {
  let offset = first;
  let step = 0;
  let reach = 0;
  let freshAt = first;
  let isDone = false;
  const asked = () => (offset < SEARCH_LIMIT ? Math.min(size, SEARCH_LIMIT - offset) : size);
  return {
    next: () => (isDone ? undefined : { recordsToReturn: asked(), recordOffset: offset }),
    advance({ count: held, fresh, hits }) {
      reach = Math.min(size, Math.max(reach, held, step + (held - fresh)));
      if (fresh > 0) freshAt = offset;
      const isRepeated = held > 0 && fresh === 0 && offset >= freshAt + size;
      step = held === 0 ? asked() : Math.min(asked(), reach);
      offset += step;
      isDone = offset >= SEARCH_LIMIT;
      if (isRepeated) return 'repeats';
      return (hits === undefined ? held === 0 : offset >= hits) ? 'last' : 'more';
    },
  };
}

/**
 * By `pageSize` and `pageOffset`: pages are contiguous, whatever their size. Only the end is uncertain, and how to
 * reach the limit with a size that does not divide it or that the service ignores.
 */
function numberedCursor({ pageSize = PAGE_SIZE, pageOffset = 0 }: Asked): PageCursor {
  let size = pageSize;
  let page = pageOffset;
  /** The most records in a page so far: each page reaches at least that far. */
  let fullest = 0;
  let isIdentified = true;
  /** The end of the pages if the service honours their size, noted when reading goes on as if it did not. */
  let endIfHonoured: number | undefined;
  /** Whether all records before the current page were read; not if its place rests on the size that was asked for. */
  let isGapless = true;
  let overlaps = false;
  let isDone = false;

  const moveTo = (position: number, largest: number) => {
    isDone = position >= SEARCH_LIMIT;
    if (isDone) return;
    const { start, size: fitting } = pageAround(position, largest);
    size = fitting;
    page = start / fitting;
    overlaps = start < position;
  };
  const passLimit = () => {
    const isHonoured = fullest >= size || fullest === 0;
    if (isHonoured) return moveTo(page * size, size);
    isDone = !isIdentified; // without ids, repeated records could not be dropped
    endIfHonoured ??= page * size;
    if (!isDone) moveTo(page * fullest, fullest);
  };
  if (page * size < SEARCH_LIMIT && (page + 1) * size > SEARCH_LIMIT) moveTo(page * size, size);

  return {
    next: () => (isDone ? undefined : { pageSize: size, pageOffset: page }),
    advance({ count: held, fresh, identified, hits }) {
      const isRepeated = held > 0 && fresh === 0 && !overlaps;
      isIdentified &&= identified === held;
      fullest = Math.max(fullest, held);
      page += 1;
      overlaps = false;
      if (isRepeated && endIfHonoured !== undefined) {
        moveTo(endIfHonoured, pageSize); // the pages probably reached as far as their size
        fullest = pageSize;
        endIfHonoured = undefined;
        isGapless = false;
        return 'more';
      }
      const end = page * size;
      const certainEnd = page * Math.min(size, fullest);
      if (end + size > SEARCH_LIMIT) passLimit();
      if (isRepeated) return 'repeats';
      const isLast = hits === undefined ? held === 0 : certainEnd >= hits || (held === 0 && end >= hits);
      if (isLast) isDone = true;
      return isLast && isGapless ? 'last' : 'more';
    },
  };
}

/** The page with the record at `position` that reaches furthest within the limit. */
function pageAround(position: number, largest: number): { start: number; size: number } {
  let best = { start: position, size: 1 };
  for (let size = largest; size > 1; size--) {
    const start = position - (position % size);
    const gain = start + size - (best.start + best.size);
    if (start + size <= SEARCH_LIMIT && (gain > 0 || (gain === 0 && start > best.start))) best = { start, size };
  }
  return best;
}
