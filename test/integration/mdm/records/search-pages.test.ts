import { describe, expect, it } from '@jest/globals';
import { handler as search } from '#functions/mdm/search/handler.ts';
import { startSandboxMdm, type SandboxMdm, type SandboxOptions } from '#sandbox/mdm/index.ts';
import { startMdmStack } from '#test/support/mdm/mdm-sandbox.ts';
import { invokeSource, postSource, problemOf, type CallOptions } from '#test/support/aws/source-handler.ts';
import { use } from '#test/support/jest/use.ts';

/* Searches over all pages, where the service pages otherwise than it was asked to. */

const cap: { largestPage?: number } = {};
const stack = await use(startMdmStack());
const large = await serviceOf(10_040, cap);

type Found = {
  payload: { searchResult: { hits: number; records: Record<string, unknown>[] } };
  attributes: Record<string, unknown>;
};

/** A service with this many persons, and a search of all its pages. */
async function serviceOf(persons: number, options: SandboxOptions['search'] = {}) {
  const mdm = await use(startSandboxMdm({ search: options }));
  for (let points = 0; points < persons; points++) {
    const record = { firstName: `First ${points}`, lastName: 'Smith', loyaltyPoints: points };
    mdm.records.submit({ entity: 'c360.person', sourceSystem: 'crm', sourcePKey: `${points}`, record });
  }
  const query = { configRef: stack.configure(mdm.secret), businessEntity: 'c360.person', search: '*', allPages: true };
  const all = (parameters: object = {}, call: CallOptions = {}) =>
    invokeSource<Found>(search, { ...query, ...parameters }, call);
  return { mdm, query, all };
}

const pointsOf = ({ payload }: Found) =>
  payload.searchResult.records.map((record) => record['c360person.loyaltyPoints']);
const upTo = (count: number, from = 0) => Array.from({ length: count - from }, (_, index) => from + index);
const searches = (mdm: SandboxMdm) => mdm.requests.filter(({ url }) => url.includes('/search')).length;

describe.each([
  ['by page', { pageSize: 200 }, 16],
  ['by record', { recordsToReturn: 200 }, 40],
  ['without a size', {}, 16],
])('all pages, %s', (_, paging, mostSearches) => {
  it.each(['given', 'asked', 'none'] as const)(
    'search reads every record of a service that returns 100 when asked for 200 (page size named: %s)',
    async (namedPageSize) => {
      const { all, mdm } = await serviceOf(1000, { largestPage: 100, namedPageSize });

      const found = await all(paging);

      expect(pointsOf(found)).toEqual(upTo(1000));
      expect(found.attributes.complete).toBe(true);
      expect(searches(mdm)).toBeLessThanOrEqual(10);
    },
  );

  it('search reads every readable record of a capped service that hides some', async () => {
    const { all, mdm } = await serviceOf(950, { largestPage: 100 });
    const golden = mdm.records.allGolden('c360.person');
    for (let index = 0; index < golden.length; index += 7) golden[index]!.hidden = true;

    const found = await all(paging);

    expect(pointsOf(found)).toEqual(upTo(950).filter((points) => points % 7 !== 0));
    expect(found.attributes.complete).toBe(true);
  });

  it('search requests hardly more pages than exist when nearly all records are hidden', async () => {
    const { all, mdm } = await serviceOf(1900);
    const golden = mdm.records.allGolden('c360.person');
    for (const record of golden) record.hidden = true;
    for (const index of [3, 250, 1250, 1899]) golden[index]!.hidden = false;

    const found = await all(paging);

    expect(pointsOf(found)).toEqual([3, 250, 1250, 1899]);
    expect(found.attributes.complete).toBe(true);
    expect(searches(mdm)).toBeLessThanOrEqual(mostSearches);
  });
});

describe('all pages', () => {
  it.each([300, 77, 999, 3333, 6000, 9973, 20_000])(
    'search pages of %i reach the 10,000th record',
    async (pageSize) => {
      const { all } = large;

      const found = await all({ pageSize });

      expect(found.payload.searchResult.records).toHaveLength(10_000);
      expect(found.attributes).toMatchObject({ hits: 10_040, complete: false });
    },
    60_000,
  );

  it('search pages of 300 end complete although the last of 9,950 records is beyond the last full page', async () => {
    const { all, mdm } = large;
    const golden = mdm.records.allGolden('c360.person');
    const filters = { filters: { operator: 'AND', filter: [lessThan(9_950)] } };

    const found = await all({ pageSize: 300, ...filters });

    expect(golden.length).toBe(10_040);
    expect(found.payload.searchResult.records).toHaveLength(9_950);
    expect(found.attributes.complete).toBe(true);
  });

  it('search returns a record once even if two pages had it', async () => {
    const { all, mdm } = await serviceOf(400);
    const moves = () => {
      // a new first record moves all others by one
      const record = { firstName: 'First', lastName: 'Smith', loyaltyPoints: -1 };
      mdm.records.submit({ entity: 'c360.person', sourceSystem: 'crm', sourcePKey: 'new', record });
    };
    mdm.misbehave({ path: '/search', delayMs: 200 });
    const sort = [{ fieldName: 'c360person.loyaltyPoints' }];

    const pending = all({ pageSize: 200, sort });
    while (searches(mdm) < 1) await new Promise((resolve) => setTimeout(resolve, 5));
    moves();
    const found = await pending;

    const points = pointsOf(found);
    expect(new Set(points).size).toBe(points.length);
    expect(points).toEqual(expect.arrayContaining(upTo(400)));
  });

  it('search returns the pages read in time, and says that they are incomplete', async () => {
    const { all, mdm } = await serviceOf(1000);
    mdm.misbehave({ path: '/search', skip: 3, delayMs: 60_000, times: null });

    const found = await all({ pageSize: 100 }, { timeoutMs: 1500 });

    expect(pointsOf(found)).toEqual(upTo(300));
    expect(found.attributes).toMatchObject({ hits: 1000, complete: false, statusCode: 200 });
  });

  it('search fails with MDM:TIMEOUT if not even the first page came in time', async () => {
    const { mdm, query } = await serviceOf(10);
    mdm.misbehave({ path: '/search', delayMs: 60_000, times: null });

    expect(await problemOf(search, query, { timeoutMs: 500 })).toMatchObject({ type: 'MDM:TIMEOUT', status: 504 });
  });

  it.each([
    ['pageSize', 2],
    ['recordsToReturn', 3],
  ])('search pages by %s stop, incomplete, if a service repeats a page', async (size, times) => {
    const { all, mdm } = await serviceOf(100);
    const { payload } = await all({ pageSize: 100 });
    payload.searchResult.hits = 5000;
    const before = searches(mdm);
    mdm.misbehave({ times: null, path: '/search', status: 200, body: payload });

    const found = await all({ [size]: 100 });

    expect(found.payload.searchResult.records).toHaveLength(100);
    expect(found.attributes.complete).toBe(false);
    expect(searches(mdm) - before).toBeLessThanOrEqual(times);
  });

  it.each([
    { pageSize: 100, pageOffset: 100 },
    { recordsToReturn: 10, recordOffset: 10_000 },
  ])('the API refuses pages beyond the 10,000th record: %j', async (paging) => {
    const { query } = await serviceOf(1);

    const { status, text } = await postSource(search, { ...query, ...paging });

    expect(status).toBe(400);
    expect(text).toContain('At most 10000 records can be reached');
  });
});

const lessThan = (points: number) => ({
  comparator: 'LESS_THAN',
  fieldName: 'c360person.loyaltyPoints',
  fieldValue: points,
});
