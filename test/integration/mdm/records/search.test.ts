import { beforeEach, describe, expect, it } from '@jest/globals';
import { handler as search } from '#functions/mdm/search/handler.ts';
import { startMdmStack } from '#test/support/mdm/mdm-sandbox.ts';
import { invokeSource, problemOf } from '#test/support/aws/source-handler.ts';
import { use } from '#test/support/jest/use.ts';

const CITIES: [string, string, number, string?][] = [
  ['Bonn', 'DE', 300_000, 'PPLA'],
  ['Bonheiden', 'BE', 14_000],
  ['Köln', 'DE', 1_000_000, 'PPLA'],
  ['Lima', 'PE', 8_000_000, 'PPLC'],
];

const stack = await use(startMdmStack());
CITIES.forEach(([name, country, population, featureCode], index) => {
  const record = { name, country: { Code: country }, population, ...(featureCode && { featureCode }) };
  stack.mdm.records.submit({ entity: 'c360.city', sourceSystem: 'geonames', sourcePKey: `${index}`, record });
});
for (let index = 0; index < 1050; index++) {
  const record = { firstName: `First ${index}`, lastName: 'Smith', loyaltyPoints: index };
  stack.mdm.records.submit({ entity: 'c360.person', sourceSystem: 'crm', sourcePKey: `${index}`, record });
}
beforeEach(() => stack.mdm.behave());

type Found = { payload: { searchResult: { records: Record<string, unknown>[] } }; attributes: Record<string, unknown> };
const find = (parameters: object) =>
  invokeSource<Found>(search, { businessEntity: 'c360.city', search: '*', ...parameters });
const namesOf = ({ payload }: Found) => payload.searchResult.records.map((record) => record['c360city.name']);
const filtered = (comparator: string, fieldName: string, fieldValue?: unknown) => ({
  filters: {
    operator: 'AND',
    filter: [{ comparator, fieldName: `c360city.${fieldName}`, ...(fieldValue !== undefined && { fieldValue }) }],
  },
});
const lastBody = () => JSON.parse(stack.mdm.requests.at(-1)!.body) as Record<string, unknown>;

describe('search', () => {
  it.each([
    ['EQUALS', 'name', 'Bonn', ['Bonn']],
    ['NOT_EQUALS', 'name', 'Bonn', ['Bonheiden', 'Köln', 'Lima']],
    ['CONTAINS', 'name', 'n', ['Bonn', 'Bonheiden', 'Köln']],
    ['STARTS_WITH', 'name', 'Bon', ['Bonn', 'Bonheiden']],
    ['ENDS_WITH', 'name', 'n', ['Bonn', 'Bonheiden', 'Köln']],
    ['GREATER_THAN', 'population', 1_000_000, ['Lima']],
    ['GREATER_THAN_OR_EQUAL_TO', 'population', 1_000_000, ['Köln', 'Lima']],
    ['LESS_THAN', 'population', 300_000, ['Bonheiden']],
    ['LESS_THAN_OR_EQUAL_TO', 'population', 300_000, ['Bonn', 'Bonheiden']],
    ['IN', 'country.Code', ['BE', 'PE'], ['Bonheiden', 'Lima']],
    ['BETWEEN', 'population', [14_000, 300_000], ['Bonn', 'Bonheiden']],
    ['IS_MISSING', 'featureCode', undefined, ['Bonheiden']],
    ['IS_NOT_MISSING', 'featureCode', undefined, ['Bonn', 'Köln', 'Lima']],
  ])('filters by %s', async (comparator, field, value, names) => {
    expect(namesOf(await find(filtered(comparator, field, value)))).toEqual(names);
  });

  it.each([
    ['EQUALS', undefined, 'needs one fieldValue: text, a number up to 2^53, or a boolean'],
    ['EQUALS', ['a'], 'needs one fieldValue: text, a number up to 2^53, or a boolean'],
    ['IN', 'a', 'needs a list as fieldValue for IN'],
    ['IN', [], 'needs a list as fieldValue for IN'],
    ['BETWEEN', [1], 'needs a list of two as fieldValue for BETWEEN'],
    ['BETWEEN', [1, 2, 3], 'needs a list of two as fieldValue for BETWEEN'],
    ['IS_MISSING', 'a', 'takes no fieldValue for IS_MISSING and IS_NOT_MISSING'],
  ])('refuses %s with %j before anything is sent', async (comparator, value, message) => {
    const before = stack.mdm.requests.length;

    const problem = await problemOf(search, {
      businessEntity: 'c360.city',
      search: '*',
      ...filtered(comparator, 'name', value),
    });

    expect(problem).toMatchObject({
      type: 'MDM:CLIENT_ERROR',
      status: 400,
      errors: [{ pointer: '/filters/filter/0', message }],
    });
    expect(stack.mdm.requests.length).toBe(before);
  });

  it.each([
    ['IN', { fieldValueGroups: [['Bonn'], ['Lima', 'x']] }, ['Bonn', 'Lima']],
    ['EQUALS', { fieldValue: 'Bonn', fieldValueGroups: ['Lima'] }, ['Bonn', 'Lima']],
  ])('sends fieldValueGroups of %s unchanged: %j', async (comparator, values, names) => {
    const filter = [{ comparator, fieldName: 'c360city.name', ...values }];

    const found = await find({ filters: { operator: 'AND', filter } });

    expect(namesOf(found)).toEqual(names);
    expect(lastBody()).toMatchObject({ filters: { filter } });
  });

  it('refuses fieldValueGroups that are empty, or where no value is taken', async () => {
    const refuse = async (comparator: string, fieldValueGroups: unknown[]) => {
      const filter = [{ comparator, fieldName: 'c360city.name', fieldValueGroups }];
      const filters = { operator: 'AND', filter };
      return problemOf(search, { businessEntity: 'c360.city', search: '*', filters });
    };

    expect(await refuse('IS_MISSING', ['a'])).toMatchObject({
      errors: [{ pointer: '/filters/filter/0', message: 'takes no fieldValue for IS_MISSING and IS_NOT_MISSING' }],
    });
    expect(await refuse('IN', [])).toMatchObject({
      errors: [{ pointer: '/filters/filter/0/fieldValueGroups', message: 'must have at least 1 item' }],
    });
  });

  it('repeats no value of fieldValueGroups if the API refuses the search', async () => {
    stack.mdm.misbehave({ status: 400, body: { errorSummary: 'Hildegard is no city' } });
    const filter = [{ comparator: 'IN', fieldName: 'c360city.name', fieldValueGroups: [['Hildegard', { to: null }]] }];

    const problem = await problemOf(search, {
      businessEntity: 'c360.city',
      search: '*',
      filters: { operator: 'OR', filter },
    });

    expect(problem.detail).toBe('The master data API answered 400: … is no city');
  });

  it('sends fields, sort order and all other options', async () => {
    const sort = [{ fieldName: 'c360city.population', order: 'DESCENDING' }];

    const found = await invokeSource<Found>(search, {
      businessEntity: 'c360.city',
      fields: { country: 'DE' },
      sort,
      searchLocale: 'en',
    });

    expect(namesOf(found)).toEqual(['Köln', 'Bonn']);
    expect(lastBody()).toEqual({ entityType: 'c360.city', fields: { country: 'DE' }, sort, searchLocale: 'en' });
  });

  it.each([
    [{ pageSize: 2, pageOffset: 1 }, ['Köln', 'Lima'], { hits: 4, pageSize: 2, pageOffset: 1 }],
    [{ recordsToReturn: 2, recordOffset: 1 }, ['Bonheiden', 'Köln'], { hits: 4, recordsToReturn: 2, recordOffset: 1 }],
  ])('pages by %j', async (paging, names, attributes) => {
    const found = await find(paging);

    expect(namesOf(found)).toEqual(names);
    expect(found.attributes).toEqual({ ...attributes, statusCode: 200, requestId: expect.any(String) });
  });

  it.each([
    ['{"hits":1152921504606846976,"pageSize":1.5,"pageOffset":-1,"maxRecords":7,"records":[]}', {}],
    ['{"hits":"2","pageSize":null,"pageOffset":"0","records":[]}', { pageSize: 2 }],
    [
      '{"hits":9007199254740991,"pageSize":1,"pageOffset":0,"records":[]}',
      { hits: 9007199254740991, pageSize: 1, pageOffset: 0 },
    ],
  ])('returns counts of %s exactly, or omits them', async (searchResult, attributes) => {
    stack.mdm.misbehave({ status: 200, body: `{"searchResult":${searchResult}}` });

    const found = await find({ pageSize: 2 });

    expect(found.attributes).toEqual({ ...attributes, statusCode: 200, requestId: expect.any(String) });
  });

  it('passes on maxRecords as given', async () => {
    stack.mdm.misbehave({ status: 200, body: { searchResult: { hits: 1, maxRecords: 7, records: [] } } });

    expect((await find({ maxRecords: 3 })).attributes).toMatchObject({ maxRecords: 3 });
  });

  it.each([
    [{ search: 'a', fields: { name: 'b' } }, 'has both search and fields: give one of them'],
    [{}, 'must have either search or fields'],
    [
      { search: 'a', pageSize: 1, recordOffset: 1 },
      'mixes two ways of paging: pageSize with pageOffset, or recordsToReturn with recordOffset',
    ],
  ])('refuses %j', async (parameters, message) => {
    const problem = await problemOf(search, { businessEntity: 'c360.city', ...parameters });

    expect(problem).toMatchObject({ status: 400, errors: [{ pointer: '', message }] });
  });

  it('sorts ascending by default', async () => {
    const found = await find({ sort: [{ fieldName: 'c360city.population' }] });

    expect(namesOf(found)).toEqual(['Bonheiden', 'Bonn', 'Köln', 'Lima']);
    expect(lastBody()).toMatchObject({ sort: [{ fieldName: 'c360city.population', order: 'ASCENDING' }] });
  });

  it('asks for content metadata in the query', async () => {
    const { payload } = await find({ showContentMeta: true, pageSize: 1 });

    expect(payload.searchResult.records[0]).toHaveProperty('_contentMeta');
    expect(stack.urls().at(-1)).toBe('/search/public/api/v1/search?_showContentMeta=true');
  });

  it("reports nothing of the search's values if the API refuses it", async () => {
    stack.mdm.misbehave({ status: 400, body: { errorCode: 'SRCH_1', errorSummary: 'Cannot search for Hildegard' } });

    const problem = await problemOf(search, { businessEntity: 'c360.person', search: 'Hildegard' });

    expect(problem.detail).toBe('The master data API answered 400: Cannot search for …');
  });
});

describe('search over all pages', () => {
  const all = (parameters: object) =>
    invokeSource<Found>(search, {
      businessEntity: 'c360.person',
      search: '*',
      allPages: true,
      ...parameters,
    });
  const pointsOf = ({ payload }: Found) =>
    payload.searchResult.records.map((record) => record['c360person.loyaltyPoints']);

  it.each([
    [{ pageSize: 100, pageOffset: 9 }, 900],
    [{ recordsToReturn: 300, recordOffset: 777 }, 777],
  ])('search over all pages continues from %j', async (paging, first) => {
    const points = pointsOf(await all(paging));

    expect([points[0], points.at(-1), points.length]).toEqual([first, 1049, 1050 - first]);
  });

  it('search over all pages stops at maxRecords, and is then complete', async () => {
    const found = await all({ maxRecords: 250 });

    expect(found.payload.searchResult.records).toHaveLength(250);
    expect(found.attributes).toMatchObject({ maxRecords: 250, complete: true });
  });

  it("search over all pages reads up to exactly the API's limit of records", async () => {
    stack.mdm.misbehave({ times: null, status: 200, body: { searchResult: { hits: 123_456, records: [] } } });

    const { attributes } = await all({ recordsToReturn: 3000, recordOffset: 500 });

    const asked = stack.mdm.requests.slice(-4).map(({ body }) => JSON.parse(body) as Record<string, number>);
    expect(asked.map(({ recordOffset, recordsToReturn }) => [recordOffset, recordsToReturn])).toEqual([
      [500, 3000],
      [3500, 3000],
      [6500, 3000],
      [9500, 500],
    ]);
    expect(attributes.complete).toBe(false);
  });

  it('search over all pages says that it is incomplete at the 6 MB limit', async () => {
    const big = { searchResult: { hits: 10, records: [{ text: 'x'.repeat(2_500_000) }] } };
    stack.mdm.misbehave({ times: null, status: 200, body: big });

    const found = await all({ pageSize: 1 });

    expect(found.payload.searchResult.records).toHaveLength(2);
    expect(found.attributes.complete).toBe(false);
  });

  it('search over all pages fails if a page fails, instead of returning what it has', async () => {
    stack.mdm.misbehave({ skip: 2, status: 500 });

    expect(await problemOf(search, { businessEntity: 'c360.person', search: '*', allPages: true })).toMatchObject({
      status: 502,
    });
  });
});

describe('a search, in the shapes that services respond with', () => {
  const records = [{ _meta: { businessId: 'MDM1' } }];
  const respond = (status: number, body?: object) => stack.mdm.misbehave({ path: '/search', status, body });

  it.each<[string, number, object | undefined, number, object]>([
    ['no records for no hits', 200, { searchResult: { hits: 0 } }, 0, { hits: 0 }],
    ['no body', 204, undefined, 0, {}],
    ['records at the root', 200, { records, totalCount: 1 }, 1, { hits: 1 }],
    ['hits at the root', 200, { records, hits: 1 }, 1, { hits: 1 }],
    ['a total of none, and nothing else', 200, { totalCount: 0 }, 0, { hits: 0 }],
    ['a total count', 200, { searchResult: { totalCount: 7, records } }, 1, { hits: 7 }],
  ])('search accepts a response with %s', async (_, status, body, found, attributes) => {
    await find({});
    respond(status, body);

    const response = await find({});

    expect(response.payload.searchResult.records).toHaveLength(found);
    expect(response.attributes).toMatchObject({ ...attributes, statusCode: status });
  });

  it.each(['3', '1e400', '"x"'])('search fails when %s hits have no records', async (hits) => {
    respond(200, { searchResult: { hits: JSON.rawJSON(hits) } });

    expect(await problemOf(search, { businessEntity: 'c360.city', search: '*' })).toMatchObject({
      type: 'MDM:SERVER_ERROR',
      upstreamRequestId: expect.any(String),
    });
  });

  it('reads JSON with an unknown charset label', async () => {
    stack.mdm.misbehave({ after: true, headers: { 'content-type': 'application/json; charset=klingon' } });

    expect(namesOf(await find({ search: 'Köln' }))).toEqual(['Köln']);
  });

  it("search needs neither an entity nor its filters' operator", async () => {
    const filters = { filter: [{ comparator: 'EQUALS', fieldName: 'c360city.name', fieldValue: 'Lima' }] };

    const { payload } = await invokeSource<Found>(search, { search: '*', filters });

    expect(payload.searchResult.records).toHaveLength(1);
    expect(lastBody()).toEqual({ search: '*', filters: { operator: 'AND', ...filters } });
  });
});
