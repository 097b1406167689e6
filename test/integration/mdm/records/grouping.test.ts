import { beforeEach, describe, expect, it } from '@jest/globals';
import { handler as masterRead } from '#functions/mdm/master-read/handler.ts';
import { handler as merge } from '#functions/mdm/merge/handler.ts';
import { handler as relationshipCreate } from '#functions/mdm/relationship-create/handler.ts';
import { handler as relationshipSearch } from '#functions/mdm/relationship-search/handler.ts';
import { handler as sourceList } from '#functions/mdm/source-list/handler.ts';
import { handler as sourceSubmit } from '#functions/mdm/source-submit/handler.ts';
import { handler as unmerge } from '#functions/mdm/unmerge/handler.ts';
import { startMdmStack } from '#test/support/mdm/mdm-sandbox.ts';
import { invokeSource, postSource, problemOf } from '#test/support/aws/source-handler.ts';
import { use } from '#test/support/jest/use.ts';

const stack = await use(startMdmStack());
beforeEach(() => stack.mdm.behave());

const businessEntity = 'c360.city';
let keys = 0;

/** A city that no other is merged with by itself. */
async function city(population: number, sourceSystem = 'geonames') {
  const source = { sourceSystem, sourcePKey: `group-${++keys}` };
  const record = { name: `City ${keys}`, country: { Code: 'DE' }, population };
  const { attributes } = await invokeSource(sourceSubmit, { businessEntity, ...source, record });
  return { source, record, businessId: String(attributes.businessId) };
}
type City = Awaited<ReturnType<typeof city>>;

const golden = async ({ source }: City) => (await invokeSource(masterRead, { businessEntity, ...source })).payload;
const idOf = async (one: City) => ((await golden(one))._meta as { businessId: string }).businessId;
/** Whether the id of a merged record is gone, or leads to the survivor. */
async function readMerged({ businessId }: City, survivor: City): Promise<boolean> {
  const { status, text } = await postSource(masterRead, { businessEntity, businessId });
  return status === 404 || text.includes(`"businessId":"${survivor.businessId}"`);
}
const merged = async (...cities: City[]) =>
  invokeSource(merge, { businessEntity, records: cities.map(({ businessId }) => ({ businessId })) });

describe('merge', () => {
  it('merge makes one golden record of several, with the latest value of each field', async () => {
    const [first, second, third] = [await city(1), await city(2), await city(3, 'gazetteer')];

    const { attributes, payload } = await invokeSource(merge, {
      businessEntity,
      records: [{ businessId: first.businessId }, second.source, { businessId: third.businessId }],
    });

    expect(attributes).toMatchObject({ businessId: first.businessId, approvalRequired: false, statusCode: 200 });
    expect(payload).toEqual({ approvalRequired: false, businessId: first.businessId });
    expect(await golden(first)).toMatchObject({ name: third.record.name, population: 3 });
    expect(await idOf(third)).toBe(first.businessId);
    expect(await readMerged(second, first)).toBe(true);
  });

  it('a merge persists when a merged source record is submitted again, even under another name', async () => {
    const [first, second] = [await city(1), await city(2)];
    await merged(first, second);

    await invokeSource(sourceSubmit, {
      businessEntity,
      ...second.source,
      record: { name: 'Another', country: { Code: 'DE' }, population: 5 },
    });

    expect(await idOf(second)).toBe(first.businessId);
    expect(await golden(first)).toMatchObject({ name: 'Another', population: 5 });
  });

  it.each([
    ['one record', [{ businessId: 'M1' }], '/records', 'must have at least 2 items'],
    ['no form', [{ businessId: 'M1' }, {}], '/records/1', 'needs businessId, or sourceSystem and sourcePKey'],
    [
      'both forms',
      [{ businessId: 'M1' }, { businessId: 'M2', sourceSystem: 'crm', sourcePKey: '1' }],
      '/records/1',
      'has both forms: give businessId, or sourceSystem and sourcePKey',
    ],
    [
      'half a key',
      [{ businessId: 'M1' }, { sourceSystem: 'crm' }],
      '/records/1',
      'has half a source key: sourceSystem and sourcePKey go together',
    ],
    ['eleven', Array.from({ length: 11 }, () => ({ businessId: 'M1' })), '/records', 'must have at most 10 items'],
  ])('merge refuses %s', async (_, records, pointer, message) => {
    expect(await problemOf(merge, { businessEntity, records })).toMatchObject({
      type: 'MDM:CLIENT_ERROR',
      status: 400,
      errors: [{ pointer, message }],
    });
  });

  it('merge is sent once, and its error repeats no id of the call', async () => {
    const [first, second] = [await city(1), await city(2)];
    stack.mdm.misbehave({ status: 503, body: { errorSummary: `${first.businessId} is locked` } });
    const before = stack.urls().length;

    const records = [{ businessId: first.businessId }, { businessId: second.businessId }];
    const problem = await problemOf(merge, { businessEntity, records });

    expect(problem).toMatchObject({ type: 'MDM:SERVER_ERROR', upstreamStatus: 503 });
    expect(problem.detail).toContain('… is locked');
    expect(stack.urls().length - before).toBe(1);
  });
});

describe('unmerge', () => {
  const three = async () => {
    const cities = [await city(1), await city(2), await city(3)] as const;
    await merged(...cities);
    return cities;
  };

  it('unmerge permanently gives the removed source record its own golden record, with its own values', async () => {
    const [first, second, third] = await three();

    const { attributes } = await invokeSource(unmerge, {
      businessEntity,
      businessId: first.businessId,
      sources: [third.source],
    });
    await invokeSource(sourceSubmit, { businessEntity, ...third.source, record: { ...third.record, population: 4 } });

    expect(attributes).toMatchObject({ approvalRequired: false, statusCode: 200 });
    expect(await golden(first)).toMatchObject({ name: second.record.name, population: 2 });
    expect(await idOf(third)).not.toBe(first.businessId);
    expect(await golden(third)).toMatchObject({ name: third.record.name, population: 4 });
  });

  it.each([
    [{ groupRemoved: 'ALL' }, [0, 1, 1]],
    [{ groupRemoved: 'NONE' }, [0, 1, 2]],
    [{}, [0, 1, 2]],
  ])('unmerge groups the removed records as asked: %j', async (grouping, groups) => {
    const [first, second, third] = await three();

    await invokeSource(unmerge, {
      businessEntity,
      businessId: first.businessId,
      sources: [second.source, third.source],
      ...grouping,
    });

    const ids = [await idOf(first), await idOf(second), await idOf(third)];
    expect(ids.map((id) => [...new Set(ids)].indexOf(id))).toEqual(groups);
    expect(ids[0]).toBe(first.businessId);
  });

  it('unmerge also separates the remaining records unless they are to stay together', async () => {
    const [first, second, third] = await three();

    await invokeSource(unmerge, {
      businessEntity,
      businessId: first.businessId,
      sources: [third.source],
      groupRemaining: 'NONE',
    });

    const list = await invokeSource(sourceList, { businessEntity, businessId: first.businessId });
    expect(list.payload.content).toEqual([expect.objectContaining(first.source)]);
    expect(await idOf(second)).not.toBe(first.businessId);
  });

  it("unmerge sends only the given options, under the API's names", async () => {
    const { businessId, source } = await city(1);
    stack.mdm.misbehave({ times: 2, status: 200, body: { approvalRequired: true } });
    const call = { businessEntity, businessId, sources: [source] };

    const { attributes } = await invokeSource(unmerge, call);
    await invokeSource(unmerge, { ...call, keepRelationships: 'REMAINS', groupRemaining: 'ALL', groupRemoved: 'NONE' });

    const path = `/business-entity/public/api/v1/entity-group/c360.city/${businessId}`;
    expect(attributes.approvalRequired).toBe(true);
    expect(stack.urls().slice(-2)).toEqual([
      path,
      `${path}?_keepRelsWith=REMAINS&_groupingForRemains=ALL&_groupingForRemoved=NONE`,
    ]);
  });

  it("unmerge passes on the API's refusal of a last source record, and of another golden record's", async () => {
    const [first, second] = [await city(1), await city(2)];
    const of = (one: City) =>
      problemOf(unmerge, { businessEntity, businessId: first.businessId, sources: [one.source] });

    expect(await of(first)).toMatchObject({ status: 400, upstreamCode: 'MDM_NOTHING_REMAINS' });
    expect(await of(second)).toMatchObject({ status: 400, upstreamCode: 'MDM_NOT_A_MEMBER' });
  });
});

describe('relationships', () => {
  const relationship = 'c360.livesIn';
  const endOf = ({ businessId }: City) => ({ businessEntity, businessId });
  let people = 0;
  const person = async () => {
    const record = { firstName: `Person ${++people}`, lastName: 'Smith' };
    const call = { businessEntity: 'c360.person', sourceSystem: 'crm', sourcePKey: `p-${people}`, record };
    const { attributes } = await invokeSource(sourceSubmit, call);
    return { businessEntity: 'c360.person', businessId: String(attributes.businessId) };
  };
  const search = async (ends: object) =>
    (await invokeSource(relationshipSearch, { relationship, ...ends })).payload.content as { _from: object }[];

  it('a relationship is created and found from either end', async () => {
    const [from, to, other] = [await person(), endOf(await city(1)), endOf(await city(2))];

    const path = '/business-entity/public/api/v1/relationship/c360.livesIn';
    const created = await invokeSource(relationshipCreate, {
      relationship,
      sourceSystem: 'crm',
      from,
      to,
      hierarchy: { type: 'homes', id: 'h1' },
    });

    expect(created.attributes).toMatchObject({ id: expect.stringMatching(/^REL/), statusCode: 201 });
    expect(stack.mdm.requests.at(-1)).toMatchObject({
      url: `${path}?sourceSystem=crm&hierarchyType=homes&hierarchyId=h1`,
      body: JSON.stringify({ _from: from, _to: to }),
    });
    expect(await search({ from })).toMatchObject([{ _from: from, _to: to, _meta: { hierarchy: { id: 'h1' } } }]);
    expect(await search({ to })).toHaveLength(1);
    expect(await search({ from, to: other })).toHaveLength(0);
  });

  it('relationships move to the survivor of a merge, and end with an unmerge that keeps them nowhere', async () => {
    const [first, second] = [await city(1), await city(2)];
    const from = await person();
    await invokeSource(relationshipCreate, { relationship, sourceSystem: 'crm', from, to: endOf(second) });

    await merged(first, second);
    const moved = await search({ to: endOf(first) });
    const sources = [second.source];
    await invokeSource(unmerge, { ...endOf(first), sources, keepRelationships: 'NONE' });

    expect(moved).toMatchObject([{ _from: from }]);
    expect(await search({ from })).toEqual([]);
  });

  it('relationship-search requires an end', async () => {
    expect(await problemOf(relationshipSearch, { relationship })).toMatchObject({
      status: 400,
      errors: [{ pointer: '', message: 'must have from or to' }],
    });
  });

  it('a relationship creation is sent once, and a search is retried after a transient fault', async () => {
    const [from, to] = [await person(), endOf(await city(1))];
    const before = stack.urls().length;
    stack.mdm.misbehave({ status: 503 });
    const problem = await problemOf(relationshipCreate, { relationship, sourceSystem: 'crm', from, to });
    stack.mdm.misbehave({ status: 503 });
    const found = await search({ from });

    expect(problem).toMatchObject({ status: 502, upstreamStatus: 503 });
    expect(found).toEqual([]);
    expect(stack.urls().length - before).toBe(3);
  });
});
