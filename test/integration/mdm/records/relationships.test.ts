import { beforeEach, describe, expect, it } from '@jest/globals';
import { handler as relationshipCreate } from '#functions/mdm/relationship-create/handler.ts';
import { handler as relationshipDelete } from '#functions/mdm/relationship-delete/handler.ts';
import { handler as relationshipRead } from '#functions/mdm/relationship-read/handler.ts';
import { handler as relationshipSearch } from '#functions/mdm/relationship-search/handler.ts';
import { handler as relationshipUpdate } from '#functions/mdm/relationship-update/handler.ts';
import { startMdmStack } from '#test/support/mdm/mdm-sandbox.ts';
import { invokeSource, problemOf } from '#test/support/aws/source-handler.ts';
import { use } from '#test/support/jest/use.ts';

const stack = await use(startMdmStack());
beforeEach(() => stack.mdm.behave());

const relationship = 'c360.livesIn';
const { records } = stack.mdm;
let keys = 0;

function person() {
  const record = { firstName: 'Ludwig', lastName: `B ${++keys}` };
  const { source } = records.submit({ entity: 'c360.person', sourceSystem: 'crm', sourcePKey: `p-${keys}`, record });
  return { businessEntity: 'c360.person', businessId: source.businessId };
}

function city() {
  const record = { name: `City ${++keys}`, country: { Code: 'DE' } };
  const { source } = records.submit({ entity: 'c360.city', sourceSystem: 'crm', sourcePKey: `c-${keys}`, record });
  return { businessEntity: 'c360.city', businessId: source.businessId };
}

/** A relationship with an attribute. */
async function existing() {
  const ends = { from: person(), to: city() };
  const created = { relationship, sourceSystem: 'crm', ...ends, attributes: { since: '1770-12-17' } };
  const { attributes } = await invokeSource(relationshipCreate, created);
  return { ...ends, created, key: { relationship, id: String(attributes.id) } };
}
const read = async (key: object) => invokeSource(relationshipRead, key);

describe('a relationship', () => {
  it('a relationship is created with its attributes, and read by its id', async () => {
    const { key, from, to } = await existing();

    const { payload, attributes } = await read(key);

    expect(payload).toMatchObject({ _from: from, _to: to, since: '1770-12-17' });
    expect(attributes).toMatchObject({ id: key.id, statusCode: 200 });
  });

  it('creating a relationship again between the same records updates it', async () => {
    const { key, created, from } = await existing();

    await invokeSource(relationshipCreate, { ...created, attributes: { reason: 'birth' } });

    expect((await read(key)).payload).toMatchObject({ reason: 'birth' });
    const { payload } = await invokeSource(relationshipSearch, { relationship, from });
    expect(payload.content).toHaveLength(1);
  });

  it('a relationship gets new attributes, and keeps its ends unless they are given', async () => {
    const { key, from, to } = await existing();
    const other = city();

    const { attributes } = await invokeSource(relationshipUpdate, { ...key, attributes: { reason: 'birth' } });
    const first = (await read(key)).payload;
    await invokeSource(relationshipUpdate, { ...key, to: other, sourceSystem: 'crm', attributes: { reason: 'work' } });

    expect(attributes.statusCode).toBeLessThan(300);
    expect(first).toMatchObject({ _from: from, _to: to, reason: 'birth' });
    expect(first).not.toHaveProperty('since');
    expect((await read(key)).payload).toMatchObject({ _from: from, _to: other, reason: 'work' });
    const [sent] = stack.mdm.requests.filter(({ method }) => method === 'PUT').slice(-1);
    expect(sent!.url).toMatch(/\?sourceSystem=crm$/);
  });

  it('a relationship is deleted, even if the response is lost, and its records stay', async () => {
    const { key, from } = await existing();
    stack.mdm.misbehave({ method: 'DELETE', after: true, reset: true });

    const { payload, attributes } = await invokeSource(relationshipDelete, key);

    expect([payload, attributes.statusCode]).toEqual([{}, 404]);
    expect(await problemOf(relationshipRead, key)).toMatchObject({ status: 404, type: 'MDM:CLIENT_ERROR' });
    expect(records.goldenById(from.businessId)).toBeDefined();
  });

  it.each([
    ['read', relationshipRead, {}],
    ['update', relationshipUpdate, { attributes: {} }],
    ['delete', relationshipDelete, {}],
  ])('a relationship call is retried after transient faults: %s', async (_, handler, more) => {
    const { key } = await existing();
    stack.mdm.misbehave({ status: 503 }, { reset: true });
    const before = stack.urls().length;

    const { attributes } = await invokeSource(handler, { ...key, ...more });

    expect(attributes.statusCode).toBeLessThan(300);
    expect(stack.urls().length - before).toBe(3);
  });

  it("a relationship refuses an attribute named like an end, and shows the API's message about others", async () => {
    const { key } = await existing();

    expect(await problemOf(relationshipUpdate, { ...key, attributes: { _to: {} } })).toMatchObject({
      status: 400,
      outcome: 'not-sent',
      errors: [{ pointer: '/attributes', message: 'must not have _from or _to: give from and to' }],
    });
    expect(await problemOf(relationshipUpdate, { ...key, attributes: { secretFact: 'Mustermann' } })).toMatchObject({
      status: 400,
      outcome: 'refused',
      upstreamErrors: [{ code: 'UNKNOWN_FIELD' }],
    });
  });

  it('a relationship call with a wrong id repeats neither id nor attributes in its error', async () => {
    const attributes = { reason: 'Mustermann' };
    stack.mdm.misbehave({ status: 400, body: { errorSummary: 'No Mustermann at rel-17-secret' } });

    const problem = await problemOf(relationshipUpdate, { relationship, id: 'rel-17-secret', attributes });

    expect(problem.detail).toBe('The master data API answered 400: No … at …');
  });
});
