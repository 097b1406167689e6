import type { Paging } from '../../contract/parameters/search.ts';

/** No record of a search beyond this one can be reached. */
const SEARCH_LIMIT = 10_000;
/** A page of 200 ends exactly at the limit. */
const PAGE_SIZE = 200;

/** What a page turned out to hold. */
export interface PageSeen {
  /** Its records. */
  readonly held: number;
  /** Those of them that no page before held. */
  readonly fresh: number;
  /** Those of them that carry an id. */
  readonly identified: number;
  /** Records that match in all, where the service says so. */
  readonly hits?: number;
}

/** Which page to ask for next. */
export interface PageCursor {
  /** Undefined where all that can be reached was asked for. */
  next(): Paging | undefined;
  /** Takes note of the page that was asked for: whether it was the last, whether more follow, or whether it repeats. */
  advance(page: PageSeen): 'last' | 'more' | 'repeats';
}

/**
 * The pages of a search from the one that the caller asks for.
 *
 * Neither the size that was asked for nor the one that the response names is trusted: services answer with smaller
 * pages than asked, and leave out records that the user may not read. What a page held is all that is certain.
 *
 * @example
 * const cursor = pageCursor({ pageSize: 100 });
 * for (let paging = cursor.next(); paging; paging = cursor.next()) cursor.advance(await read(paging));
 */
export function pageCursor(asked: Paging): PageCursor {
  const isByRecord = asked.recordsToReturn !== undefined || asked.recordOffset !== undefined;
  return isByRecord ? recordCursor(asked) : numberedCursor(asked);
}

/**
 * By `recordsToReturn` and `recordOffset`: the offset is certain, how far a page reaches is not. It reaches as far as
 * any page so far had records, so a page may give records of the one before again.
 */
function recordCursor({ recordsToReturn: size = PAGE_SIZE, recordOffset: first = 0 }: Paging): PageCursor {
  let offset = first;
  let step = 0;
  let reach = 0;
  let freshAt = first;
  let isDone = false;
  const asked = () => (offset < SEARCH_LIMIT ? Math.min(size, SEARCH_LIMIT - offset) : size);
  return {
    next: () => (isDone ? undefined : { recordsToReturn: asked(), recordOffset: offset }),
    advance({ held, fresh, hits }) {
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
 * By `pageSize` and `pageOffset`: page after page is contiguous, whatever size the service gives them. In question is
 * only where they end, and how the limit is reached with a size that does not divide it or is not honoured.
 */
function numberedCursor({ pageSize = PAGE_SIZE, pageOffset = 0 }: Paging): PageCursor {
  let size = pageSize;
  let page = pageOffset;
  /** The most records that a page held: each reaches at least so far. */
  let fullest = 0;
  let isIdentified = true;
  /** Where the pages ended if the service honoured their size, once they are read on as if it did not. */
  let endIfHonoured: number | undefined;
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
    isDone = !isIdentified; // with no ids, records that are read again could not be left out
    endIfHonoured ??= page * size;
    if (!isDone) moveTo(page * fullest, fullest);
  };
  if (page * size < SEARCH_LIMIT && (page + 1) * size > SEARCH_LIMIT) moveTo(page * size, size);

  return {
    next: () => (isDone ? undefined : { pageSize: size, pageOffset: page }),
    advance({ held, fresh, identified, hits }) {
      const isRepeated = held > 0 && fresh === 0 && !overlaps;
      isIdentified &&= identified === held;
      fullest = Math.max(fullest, held);
      page += 1;
      overlaps = false;
      if (isRepeated && endIfHonoured !== undefined) {
        moveTo(endIfHonoured, pageSize); // the pages did reach as far as their size
        fullest = pageSize;
        endIfHonoured = undefined;
        return 'more';
      }
      const end = page * size;
      const certainEnd = page * Math.min(size, fullest);
      if (end + size > SEARCH_LIMIT) passLimit();
      if (isRepeated) return 'repeats';
      if (hits === undefined) return held === 0 ? 'last' : 'more';
      return certainEnd >= hits || (held === 0 && end >= hits) ? 'last' : 'more';
    },
  };
}

/** The page that holds the record at `position` and reaches furthest, but not beyond the limit. */
function pageAround(position: number, largest: number): { start: number; size: number } {
  let best = { start: position, size: 1 };
  for (let size = largest; size > 1; size--) {
    const start = position - (position % size);
    const gain = start + size - (best.start + best.size);
    if (start + size <= SEARCH_LIMIT && (gain > 0 || (gain === 0 && start > best.start))) best = { start, size };
  }
  return best;
}
