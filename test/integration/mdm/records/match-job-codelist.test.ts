import { beforeEach, describe, expect, it } from '@jest/globals';
import { handler as codelistRead } from '#functions/mdm/codelist-read/handler.ts';
import { handler as jobRead } from '#functions/mdm/job-read/handler.ts';
import { handler as jobStart } from '#functions/mdm/job-start/handler.ts';
import { handler as match } from '#functions/mdm/match/handler.ts';
import { startMdmStack } from '#test/support/mdm/mdm-sandbox.ts';
import { invokeSource, postSource, problemOf } from '#test/support/aws/source-handler.ts';
import { use } from '#test/support/jest/use.ts';

const stack = await use(startMdmStack());
['Bonn', 'Born', 'Köln', 'Lima'].forEach((name, index) => {
  const record = { name, country: { Code: 'DE' } };
  stack.mdm.records.submit({ entity: 'c360.city', sourceSystem: 'geonames', sourcePKey: `${index}`, record });
});
beforeEach(() => stack.mdm.behave());

describe('match', () => {
  type Candidate = { name: string; _meta: { score: number } };
  const candidates = async (parameters: object) => {
    const { payload } = await invokeSource(match, { businessEntity: 'c360.city', ...parameters });
    return (payload.records as Candidate[]).map(({ name, _meta: { score } }) => [name, score] as const);
  };

  it('match returns the golden records that resemble a record, the best first', async () => {
    const found = await candidates({ record: { name: 'bonn', country: { Code: 'DE' } }, searchLevel: 'TYPICAL' });

    expect(found.map(([name]) => name)).toEqual(['Bonn', 'Born']);
    expect(found[0]![1]).toBe(1);
    expect(found[1]![1]).toBeLessThan(1);
  });

  it('match sends the fields along with its options, and omits those not given', async () => {
    const record = { name: 'Bonn' };

    await candidates({ record });
    await candidates({ record, maxRecords: 1, searchLevel: 'NARROW', matchModel: 'm1' });

    const [plain, withOptions] = stack.mdm.requests.slice(-2);
    const path = '/match-ng-pair-gen/public/api/v1/searchmatch/c360.city';
    expect(plain).toMatchObject({ url: path, body: '{"name":"Bonn"}' });
    expect(withOptions).toMatchObject({
      url: `${path}?matchmodel=m1`,
      body: '{"name":"Bonn","maxRecordsToReturn":1,"searchLevel":"NARROW"}',
    });
  });

  it('match uses the configured path', async () => {
    stack.mdm.misbehave({ status: 200, body: [], path: '/matching' });
    const configRef = stack.configure({ paths: { match: '/matching/v9' } });

    const { payload } = await invokeSource(match, { configRef, businessEntity: 'c360.city', record: { name: 'B' } });

    expect(payload).toEqual([]);
    expect(stack.urls().at(-1)).toBe('/matching/v9/c360.city');
  });

  it.each([
    [{ record: {} }, '/record', 'must have at least 1 field'],
    [
      { record: { searchLevel: 'x' } },
      '/record',
      'must not have maxRecordsToReturn or searchLevel: give maxRecords, searchLevel',
    ],
    [{ record: { name: 'x' }, maxRecords: 0 }, '/maxRecords', 'must be at least 1'],
  ])('match refuses %j', async (parameters, pointer, message) => {
    const problem = await problemOf(match, { businessEntity: 'c360.city', ...parameters });

    expect(problem).toMatchObject({ status: 400, errors: [{ pointer, message: expect.stringContaining(message) }] });
  });

  it('match has no candidates when the API answers 204', async () => {
    stack.mdm.misbehave({ status: 204 });

    expect(await candidates({ record: { name: 'Bonn' } })).toEqual([]);
  });

  it('match is retried after a transient fault, and its error repeats no field', async () => {
    stack.mdm.misbehave({ status: 503 });
    await candidates({ record: { name: 'Bonn' } });
    stack.mdm.misbehave({ status: 400, body: { errorSummary: 'Mustermann matches nothing' } });

    const problem = await problemOf(match, { businessEntity: 'c360.city', record: { name: 'Mustermann' } });

    expect(problem.detail).toBe('The master data API answered 400: … matches nothing');
  });
});

describe('job-start and job-read', () => {
  it('job-start and job-read handle an id beyond 2^53, from start to finish', async () => {
    const started = await postSource(jobStart, { jobDefinitionId: 'nightly', kind: 'ingress' });
    const { id } = (JSON.parse(started.text) as { attributes: { id: string } }).attributes;
    const states = [];
    for (let read = 0; read < 3; read++) states.push((await invokeSource(jobRead, { id })).payload.status);

    expect(started.text).toMatch(/"payload":\{"id":"?714189942313869312"?\}/);
    expect(id).toBe('714189942313869312');
    expect(states).toEqual(['QUEUED', 'RUNNING', 'COMPLETED']);
    expect(stack.urls().at(-1)).toBe('/job/public/api/v1/jobInstance/714189942313869312');
  });

  it.each([
    ['ingress', 'Ingress'],
    ['egress', 'Egress'],
    ['match-and-merge', 'MatchAndMerge'],
  ])('job-start starts %s jobs at the path of %s', async (kind, segment) => {
    await invokeSource(jobStart, { jobDefinitionId: 'd1', kind });

    expect(stack.mdm.requests.at(-1)).toMatchObject({
      url: `/job/public/api/v1/jobInstance/${segment}`,
      body: '{"jobDefinitionId":"d1"}',
    });
  });

  it('job-start is sent once, whatever happens to it', async () => {
    stack.mdm.misbehave({ status: 503 });
    const before = stack.urls().length;

    expect(await problemOf(jobStart, { jobDefinitionId: 'd1', kind: 'egress' })).toMatchObject({ status: 502 });
    expect(stack.urls().length - before).toBe(1);
  });

  it('job-read answers 404 for an unknown job, and job-start refuses an unknown kind', async () => {
    expect(await problemOf(jobRead, { id: '1' })).toMatchObject({ status: 404, upstreamCode: 'JOB_NOT_FOUND' });
    expect(await problemOf(jobStart, { jobDefinitionId: 'd', kind: 'transit' })).toMatchObject({
      errors: [{ pointer: '/kind', message: 'must be one of ingress, egress, match-and-merge' }],
    });
  });
});

describe('codelist-read', () => {
  const values = async (query: object) => {
    const { payload, attributes } = await invokeSource(codelistRead, query);
    return { content: payload.content as { Code: string }[], attributes };
  };

  it("codelist-read returns a code list's values, in the service's largest pages", async () => {
    const { content, attributes } = await values({ id: 'gender' });

    expect(content).toContainEqual({ Code: 'F', Name: 'Female' });
    expect(attributes).toMatchObject({ complete: true, statusCode: 200 });
    expect(stack.mdm.requests.at(-1)).toMatchObject({
      url: '/rdm-service/external/v1/export',
      body: '{"containerType":"codelist","containerId":"gender","pageSize":10000,"page":0}',
    });
  });

  it('codelist-read reads all pages of a large code list', async () => {
    const page = (from: number, lastPage: boolean) => ({
      status: 200,
      body: { content: Array.from({ length: 3 }, (_, index) => ({ Code: `${from + index}` })), lastPage },
    });
    stack.mdm.misbehave(page(0, false), page(3, false), page(6, true));

    const { content, attributes } = await values({ id: 'country' });

    expect(content.map(({ Code }) => Number(Code))).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
    expect(attributes.complete).toBe(true);
  });

  it('codelist-read takes a page that is shorter than it asked for as the last one', async () => {
    stack.mdm.misbehave({ status: 200, body: { content: [{ Code: 'F' }] } });
    const before = stack.urls().length;

    expect(await values({ id: 'gender' })).toMatchObject({ content: [{ Code: 'F' }], attributes: { complete: true } });
    expect(stack.urls().length - before).toBe(1);
  });

  it('codelist-read returns one value by its code', async () => {
    const { content } = await values({ id: 'country', code: 'DE' });

    expect(content).toEqual([
      { codelistId: 'country', status: 'ACTIVE', codeValueFields: { Code: 'DE', Name: 'Germany' } },
    ]);
    expect(stack.urls().at(-1)).toBe('/rdm-service/external/v1/codelists/country/codevalues?Code=DE');
  });

  it('codelist-read returns the values that changed since a given time', async () => {
    const all = await values({ id: 'country', modifiedSince: '2024-01-15T01:00:00.5+01:00' });
    const none = await values({ id: 'country', modifiedSince: '2024-01-16T00:00:00Z' });

    expect(all.content.length).toBeGreaterThan(200);
    expect(all.content[0]).toMatchObject({ changeType: 'CREATE' });
    expect(none.content).toEqual([]);
  });

  it.each([
    [{ code: 'DE', modifiedSince: '2024-01-16T00:00:00Z' }, '', 'has both code and modifiedSince: give one of them'],
    [{ modifiedSince: 'yesterday' }, '/modifiedSince', 'must be a time in ISO 8601 with its offset'],
  ])('codelist-read refuses %j', async (query, pointer, message) => {
    const problem = await problemOf(codelistRead, { id: 'country', ...query });

    expect(problem).toMatchObject({ status: 400, errors: [{ pointer, message: expect.stringContaining(message) }] });
  });

  it.each([{}, { code: 'DE' }, { modifiedSince: '2024-01-16T00:00:00Z' }])(
    'codelist-read answers 404 for an unknown list: %j',
    async (query) => {
      expect(await problemOf(codelistRead, { id: 'constructor', ...query })).toMatchObject({
        status: 404,
        upstreamCode: 'RDM_CODE_LIST_NOT_FOUND',
      });
    },
  );
});
