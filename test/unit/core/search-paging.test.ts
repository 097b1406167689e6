import { describe, expect, it } from '@jest/globals';
import fc from '#test/support/fast-check.ts';
import { SEARCH_LIMIT, searchPages, type Follows, type Paging } from '#lib/core/search-paging.ts';

/* All pages of a search, where a service pages otherwise than it was asked to. */

interface Service {
  /** Records that match; one in `hidesOneIn` is not shown, so its page is shorter. */
  readonly total: number;
  readonly hidesOneIn: number;
  readonly largestPage: number;
  readonly countsHits: boolean;
  /** What stands beyond its last page: the last page again, or nothing. */
  readonly repeatsLast: boolean;
}

const isShown = ({ hidesOneIn }: Service, record: number) => (record + 1) % hidesOneIn !== 0;
const upTo = (end: number, from = 0) => Array.from({ length: Math.max(0, end - from) }, (_, at) => from + at);

/** The first record of a page, and its size: of what was asked for, as far as the service allows. */
function placeOf(paging: Paging, largestPage: number): [start: number, size: number] {
  if ('pageSize' in paging) {
    const size = Math.min(paging.pageSize, largestPage);
    return [paging.pageOffset * size, size];
  }
  return [paging.recordOffset, Math.min(paging.recordsToReturn, largestPage)];
}

function pageOf(service: Service, paging: Paging): number[] {
  const { total, largestPage, repeatsLast } = service;
  const [asked, size] = placeOf(paging, largestPage);
  if (asked + size > SEARCH_LIMIT) throw new Error(`${JSON.stringify(paging)} is beyond the limit`);
  const start = asked >= total && repeatsLast ? Math.max(0, Math.ceil(total / size) - 1) * size : asked;
  return upTo(Math.min(start + size, total), start).filter((record) => isShown(service, record));
}

/** Reads all pages of a service; gives the records, the number of requests, and what the last page was. */
function readAll(service: Service, asked: Partial<Paging>) {
  const pages = searchPages(asked);
  const records: number[] = [];
  const requests: Paging[] = [];
  let end: Follows = 'more';
  for (let paging = pages.next(); paging && end === 'more'; paging = pages.next()) {
    requests.push(paging);
    const page = pageOf(service, paging).map((record) => ({ record, _meta: { businessId: `B${record}` } }));
    const { fresh, follows } = pages.take(page, service.countsHits ? service.total : undefined);
    records.push(...fresh.map(({ record }) => record));
    end = follows;
  }
  return { records, requests, end };
}

const SERVICE: fc.Arbitrary<Service> = fc.record({
  total: fc.oneof(fc.nat(1000), fc.nat(12_000), fc.constantFrom(0, 1, 9_999, SEARCH_LIMIT, SEARCH_LIMIT + 1)),
  hidesOneIn: fc.constantFrom(Infinity, 2, 3, 7),
  largestPage: fc.oneof(fc.constant(SEARCH_LIMIT), fc.integer({ min: 10, max: 1000 })),
  countsHits: fc.boolean(),
  repeatsLast: fc.boolean(),
});
const SIZE = fc.oneof(fc.constant(undefined), fc.integer({ min: 10, max: 1000 }));

describe.each<[string, (size: number | undefined, page: number) => Partial<Paging>]>([
  ['pageSize', (pageSize, pageOffset) => ({ ...(pageSize && { pageSize }), pageOffset })],
  ['recordsToReturn', (size, page) => ({ ...(size && { recordsToReturn: size }), recordOffset: page * (size ?? 200) })],
])('by %s', (_, askedOf) => {
  it('a search of all pages returns records once and in order, and all of them if it ends with the last page', () => {
    fc.assert(
      fc.property(SERVICE, SIZE, fc.nat(3), (service, size, page) => {
        const { total, largestPage, hidesOneIn, countsHits, repeatsLast } = service;
        const asked = askedOf(size, page);
        const start = 'recordOffset' in asked ? asked.recordOffset! : page * Math.min(size ?? 200, largestPage);
        fc.pre(start === 0 || !repeatsLast);

        const { records, requests, end } = readAll(service, asked);

        const shown = upTo(Math.min(total, SEARCH_LIMIT), start).filter((record) => isShown(service, record));
        const isAll = end === 'last' || hidesOneIn === Infinity;
        const found = new Set(records);
        expect(records).toEqual(isAll ? shown : shown.filter((record) => found.has(record)));
        if (end === 'last' && countsHits) expect(total).toBeLessThanOrEqual(SEARCH_LIMIT);
        const step = Math.min(size ?? 200, largestPage);
        const least = Math.max(0, Math.min(total, SEARCH_LIMIT) - start) / step;
        expect(requests.length).toBeLessThanOrEqual(4 * least + (size ?? 200) / step + 50);
      }),
      { numRuns: 200 },
    );
  });

  it('a search of all pages ends with the last page if there is a full page less than the limit', () => {
    fc.assert(
      fc.property(SERVICE, SIZE, (service, size) => {
        const { total, largestPage } = service;
        fc.pre(total <= (SEARCH_LIMIT / (size ?? 200) - 2) * Math.min(size ?? 200, largestPage));

        const { end } = readAll({ ...service, repeatsLast: false }, askedOf(size, 0));

        expect(end).toBe('last');
      }),
      { numRuns: 200 },
    );
  });
});

it('a search is not complete if pages were shorter than asked for, and a gap may be left near the limit', () => {
  const service = { total: 101, hidesOneIn: 3, largestPage: 10, countsHits: false, repeatsLast: false };

  const { records, end } = readAll(service, { pageSize: 938 });

  expect(records).not.toContain(100);
  expect(end).toBe('more');
});
