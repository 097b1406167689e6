import { beforeEach, describe, expect, it } from '@jest/globals';
import { handler as masterRead } from '#functions/mdm/master-read/handler.ts';
import { handler as sourceDelete } from '#functions/mdm/source-delete/handler.ts';
import { handler as sourceList } from '#functions/mdm/source-list/handler.ts';
import { handler as sourcePatch } from '#functions/mdm/source-patch/handler.ts';
import { handler as sourceRead } from '#functions/mdm/source-read/handler.ts';
import { handler as sourceReplace } from '#functions/mdm/source-replace/handler.ts';
import { handler as sourceSubmit } from '#functions/mdm/source-submit/handler.ts';
import { startMdmStack } from '#test/support/mdm/mdm-sandbox.ts';
import { startTcpProxy } from '#test/support/redis/tcp-proxy.ts';
import { invokeSource, postSource, problemOf } from '#test/support/aws/source-handler.ts';
import { use } from '#test/support/jest/use.ts';

const stack = await use(startMdmStack());
beforeEach(() => stack.mdm.behave());

let keys = 0;

/** A city in the MDM, and its key. */
async function existing(record: object = {}, sourceSystem = 'geonames') {
  const key = { businessEntity: 'c360.city', sourceSystem, sourcePKey: `change-${++keys}` };
  const whole = { name: `City ${keys}`, country: { Code: 'DE' }, population: 1, featureCode: 'PPL', ...record };
  const { attributes } = await invokeSource(sourceSubmit, { ...key, record: whole });
  return { key, businessId: String(attributes.businessId) };
}
const fieldsOf = async (key: object) => (await invokeSource(sourceRead, key)).payload;

describe('source-patch', () => {
  it('source-patch changes what its operations name, and nothing else', async () => {
    const { key } = await existing({ alternateName: ['a', 'b'] });

    const changed = await invokeSource(sourcePatch, {
      ...key,
      operations: [
        { op: 'test', path: '/population', value: 1 },
        { op: 'replace', path: '/population', value: 2 },
        { op: 'remove', path: '/featureCode' },
        { op: 'add', path: 'alternateName/1', value: 'c' },
        { op: 'copy', from: '/name', path: '/asciiName' },
      ],
    });

    expect(changed.attributes).not.toMatchObject({ approvalRequired: true });
    const fields = await fieldsOf(key);
    expect(fields).toMatchObject({ population: 2, alternateName: ['a', 'c', 'b'], asciiName: `City ${keys}` });
    expect(fields).not.toHaveProperty('featureCode');
  });

  it('source-patch sends paths without their leading slashes, and exact numbers', async () => {
    const { key } = await existing();
    const operations = '[{"op":"replace","path":"/population","value":12345678901234567890}]';

    await postSource(sourcePatch, `${JSON.stringify(key).slice(0, -1)},"operations":${operations}}`);

    expect(stack.mdm.requests.at(-1)).toMatchObject({
      method: 'PATCH',
      url: `/business-entity/public/api/v1/entity-xref/c360.city/geonames/${key.sourcePKey}`,
      body: '[{"op":"replace","value":12345678901234567890,"path":"population"}]',
    });
  });

  it('source-patch is sent once when it meets a 503', async () => {
    const { key } = await existing();
    stack.mdm.misbehave({ status: 503 });
    const before = stack.urls().length;

    const problem = await problemOf(sourcePatch, { ...key, operations: [{ op: 'remove', path: '/population' }] });

    expect(problem).toMatchObject({ type: 'MDM:SERVER_ERROR', status: 502 });
    expect(stack.urls().length - before).toBe(1);
  });

  it.each([
    [{ op: 'replace', path: '/name' }, '/operations/0', 'must have a value for add, replace and test'],
    [{ op: 'move', path: '/name' }, '/operations/0', 'must have from for move and copy'],
    [{ op: 'remove', path: '' }, '/operations/0/path', 'must be a JSON Pointer to a part of the record, such as /name'],
    [
      { op: 'remove', path: '//a' },
      '/operations/0/path',
      'must be a JSON Pointer to a part of the record, such as /name',
    ],
    [{ op: 'drop', path: '/a' }, '/operations/0/op', 'must be one of add, remove, replace, move, copy, test'],
  ])('source-patch refuses %j', async (operation, pointer, message) => {
    const { key } = await existing();

    expect(await problemOf(sourcePatch, { ...key, operations: [operation] })).toMatchObject({
      type: 'MDM:CLIENT_ERROR',
      status: 400,
      errors: expect.arrayContaining([{ pointer, message }]),
    });
  });

  it('source-patch accepts null as a value', async () => {
    const { key } = await existing();

    await invokeSource(sourcePatch, { ...key, operations: [{ op: 'replace', path: '/featureCode', value: null }] });

    expect(await fieldsOf(key)).not.toHaveProperty('featureCode');
  });

  it('source-patch repeats neither key nor values if the API refuses it', async () => {
    const { key } = await existing();
    const body = { errorCode: 'E_1', errorSummary: `Cannot put Mustermann at ${key.sourcePKey}` };
    stack.mdm.misbehave({ status: 400, body });

    const problem = await problemOf(sourcePatch, {
      ...key,
      operations: [{ op: 'replace', path: '/name', value: 'Mustermann' }],
    });

    expect(problem.detail).toBe('The master data API answered 400: Cannot put … at …');
  });
});

describe('source-replace', () => {
  it('source-replace removes the fields that the record omits, so those of other sources appear', async () => {
    const name = `Twin ${keys}`;
    const first = await existing({ name, population: 7, featureCode: 'PPLA' });
    const second = await existing({ name, population: 8, featureCode: 'PPLC' }, 'gazetteer');
    expect(second.businessId).toBe(first.businessId);

    await invokeSource(sourceReplace, { ...second.key, record: { name, country: { Code: 'DE' }, population: 9 } });

    expect(await fieldsOf(second.key)).not.toHaveProperty('featureCode');
    expect((await invokeSource(masterRead, first.key)).payload).toMatchObject({ population: 9, featureCode: 'PPLA' });
  });

  it('source-replace is retried after a transient fault', async () => {
    const { key } = await existing();
    stack.mdm.misbehave({ status: 503 }, { reset: true, after: true });

    const changed = await invokeSource(sourceReplace, { ...key, record: { name: 'X', country: { Code: 'DE' } } });

    expect(changed.attributes.statusCode).toBeLessThan(300);
    expect(stack.mdm.requests.slice(-3).map(({ method }) => method)).toEqual(['PUT', 'PUT', 'PUT']);
  });

  it("source-replace passes on the API's refusal", async () => {
    const { key } = await existing();

    expect(await problemOf(sourceReplace, { ...key, record: { name: 'X' } })).toMatchObject({
      type: 'MDM:CLIENT_ERROR',
      status: 400,
      upstreamCode: 'MDM_RECORD_INVALID',
    });
  });
});

describe('source-delete and source-list', () => {
  it('source-delete takes a source record out of its golden record, which goes with the last one', async () => {
    const name = `Double ${keys}`;
    const first = await existing({ name });
    const second = await existing({ name }, 'gazetteer');
    const list = { businessEntity: 'c360.city', businessId: first.businessId };
    const both = await invokeSource(sourceList, list);

    const deleted = await invokeSource(sourceDelete, second.key);
    const one = await invokeSource(sourceList, list);
    await invokeSource(sourceDelete, first.key);

    const keyOf = ({ key: { sourceSystem, sourcePKey } }: typeof first) => ({ sourcePKey, sourceSystem });
    expect(both.payload.content).toEqual(
      [keyOf(first), keyOf(second)].map((source) => expect.objectContaining(source)),
    );
    expect(deleted).toMatchObject({ payload: {}, attributes: { statusCode: 204 } });
    expect(one.payload.content).toEqual([expect.objectContaining(keyOf(first))]);
    expect(await problemOf(sourceList, list)).toMatchObject({ status: 404 });
    expect(await problemOf(sourceRead, second.key)).toMatchObject({ status: 404 });
  });

  it('a deletion whose response was lost succeeds, although its retry gets a 404', async () => {
    const { key } = await existing();
    const proxy = await startTcpProxy(Number(new URL(String(stack.mdm.secret.baseUrl)).port));
    const configRef = stack.configure({ baseUrl: `http://127.0.0.1:${proxy.port}` });
    await invokeSource(sourceRead, { configRef, ...key });
    proxy.cutReply();
    const before = stack.mdm.requests.length;

    const deleted = await invokeSource(sourceDelete, { configRef, ...key });
    const again = await problemOf(sourceDelete, { configRef, ...key });
    await proxy.close();

    expect(deleted).toEqual({ payload: {}, attributes: { statusCode: 404, requestId: expect.any(String) } });
    expect(again).toMatchObject({ type: 'MDM:CLIENT_ERROR', status: 404 });
    expect(stack.mdm.requests.slice(before).map(({ method }) => method)).toEqual(['DELETE', 'DELETE', 'DELETE']);
  });

  it.each([[429], [404]])('deleting a record that never existed is a 404, even after a first %i', async (status) => {
    const key = { businessEntity: 'c360.city', sourceSystem: 'geonames', sourcePKey: 'never' };
    stack.mdm.misbehave({ status });

    expect(await problemOf(sourceDelete, key)).toMatchObject({ type: 'MDM:CLIENT_ERROR', status: 404 });
  });

  it('source-list accepts a bare list as the content', async () => {
    stack.mdm.misbehave({ status: 200, body: [{ sourcePKey: '1', sourceSystem: 'crm' }] });

    const { payload } = await invokeSource(sourceList, { businessEntity: 'c360.city', businessId: 'M1' });

    expect(payload).toEqual({ content: [{ sourcePKey: '1', sourceSystem: 'crm' }] });
  });
});
