import { beforeEach, describe, expect, it } from '@jest/globals';
import { handler as masterDelete } from '#functions/mdm/master-delete/handler.ts';
import { handler as masterPatch } from '#functions/mdm/master-patch/handler.ts';
import { handler as masterRead } from '#functions/mdm/master-read/handler.ts';
import { handler as masterUpdate } from '#functions/mdm/master-update/handler.ts';
import { handler as merge } from '#functions/mdm/merge/handler.ts';
import { handler as mergePreview } from '#functions/mdm/merge-preview/handler.ts';
import { handler as sourceList } from '#functions/mdm/source-list/handler.ts';
import { handler as sourceRead } from '#functions/mdm/source-read/handler.ts';
import { handler as sourceSubmit } from '#functions/mdm/source-submit/handler.ts';
import { startMdmStack } from '#test/support/mdm/mdm-sandbox.ts';
import { invokeSource, problemOf } from '#test/support/aws/source-handler.ts';
import { use } from '#test/support/jest/use.ts';

const stack = await use(startMdmStack());
beforeEach(() => stack.mdm.behave());

const businessEntity = 'c360.city';
let keys = 0;

/** A golden record of one source. */
async function city(record: object = {}) {
  const source = { sourceSystem: 'geonames', sourcePKey: `master-${++keys}` };
  const whole = { name: `City ${keys}`, country: { Code: 'DE' }, population: 1, ...record };
  const { attributes } = await invokeSource(sourceSubmit, { businessEntity, ...source, record: whole });
  return { source, record: whole, golden: { businessEntity, businessId: String(attributes.businessId) } };
}
const read = async (key: object) => (await invokeSource(masterRead, key)).payload;
const sourcesOf = async (golden: object) =>
  ((await invokeSource(sourceList, golden)).payload.content as Record<string, unknown>[]).map(
    ({ sourceSystem, sourcePKey }) => ({ sourceSystem, sourcePKey }),
  );

describe('master-update', () => {
  it('master-update changes a golden record through a new source record', async () => {
    const { golden, source, record } = await city();
    const change = { ...golden, sourceSystem: 'crm', sourcePKey: `crm-${keys}` };

    const { attributes } = await invokeSource(masterUpdate, { ...change, record: { ...record, population: 2 } });

    expect(attributes.statusCode).toBeLessThan(300);
    expect(stack.mdm.requests.at(-1)).toMatchObject({
      method: 'PUT',
      url:
        `/business-entity/public/api/v1/entity/c360.city/${golden.businessId}` +
        `?sourceSystem=crm&sourcePKey=crm-${keys}`,
    });
    expect(await read(golden)).toMatchObject({ name: record.name, population: 2 });
    expect(await sourcesOf(golden)).toEqual([source, { sourceSystem: 'crm', sourcePKey: `crm-${keys}` }]);
  });

  it('master-update is retried with a source key, and never without', async () => {
    const { golden, record } = await city();
    const change = { ...golden, sourceSystem: 'crm', record };
    stack.mdm.misbehave({ method: 'PUT', status: 503, times: null });
    const before = stack.urls().length;

    const without = await problemOf(masterUpdate, change);
    const sent = stack.urls().length - before;
    const withKey = await problemOf(masterUpdate, { ...change, sourcePKey: 'x' });

    expect(without).toMatchObject({ type: 'MDM:SERVER_ERROR', retryable: false, outcome: 'unknown' });
    expect(withKey).toMatchObject({ type: 'MDM:SERVER_ERROR', retryable: true, outcome: 'unknown' });
    expect([sent, stack.urls().length - before]).toEqual([1, 4]);
  });

  it('master-update of an unknown record is a 404, and repeats neither id nor key', async () => {
    const key = { businessEntity, businessId: 'absent-17', sourceSystem: 'crm', sourcePKey: 'crm-key-17' };

    const problem = await problemOf(masterUpdate, { ...key, record: { name: 'X' } });

    expect(problem).toMatchObject({ type: 'MDM:CLIENT_ERROR', status: 404, outcome: 'refused' });
    expect(JSON.stringify(problem)).not.toMatch(/absent-17|crm-key-17/);
  });
});

describe('master-patch', () => {
  it('master-patch changes what its operations name, and nothing else', async () => {
    const { golden, record } = await city({ alternateName: ['a', 'b'], featureCode: 'PPL' });

    await invokeSource(masterPatch, {
      ...golden,
      sourceSystem: 'crm',
      sourcePKey: `crm-${keys}`,
      operations: [
        { op: 'replace', path: '/population', value: 5 },
        { op: 'add', path: 'alternateName/1', value: 'c' },
        { op: 'remove', path: '/featureCode' },
      ],
    });

    const changed = await read(golden);
    expect(changed).toMatchObject({ name: record.name, population: 5, alternateName: ['a', 'c', 'b'] });
    expect(changed).not.toHaveProperty('featureCode');
  });

  it('master-patch is sent once when it meets a 503', async () => {
    const { golden } = await city();
    stack.mdm.misbehave({ method: 'PATCH', status: 503, times: null });
    const operations = [{ op: 'remove', path: '/population' }];
    const before = stack.urls().length;

    const problem = await problemOf(masterPatch, { ...golden, sourceSystem: 'crm', operations });

    expect(problem).toMatchObject({ type: 'MDM:SERVER_ERROR', retryable: false });
    expect(stack.urls().slice(before).length).toBe(1);
  });

  it('master-patch requires a source system', async () => {
    const operations = [{ op: 'remove', path: '/population' }];

    expect(await problemOf(masterPatch, { businessEntity, businessId: 'M1', operations })).toMatchObject({
      status: 400,
      errors: [{ pointer: '/sourceSystem', message: 'is required' }],
    });
  });
});

describe('master-delete', () => {
  it('master-delete deletes the golden record with its source records, even if its response was lost', async () => {
    const { golden, source } = await city();
    stack.mdm.misbehave({ method: 'DELETE', after: true, reset: true });

    const { attributes } = await invokeSource(masterDelete, golden);

    expect(attributes.statusCode).toBe(404); // of the second attempt
    expect(await problemOf(masterRead, golden)).toMatchObject({ status: 404 });
    expect(await problemOf(sourceRead, { businessEntity, ...source })).toMatchObject({ status: 404 });
    expect(await problemOf(masterDelete, golden)).toMatchObject({ status: 404, retryable: false });
  });
});

describe('merge-preview', () => {
  it('merge-preview shows the result of the merge, and changes nothing', async () => {
    const [first, second] = [await city({ featureCode: 'PPLA' }), await city({ population: 9 })];
    const records = [{ businessId: first.golden.businessId }, second.source];

    const preview = await invokeSource(mergePreview, { businessEntity, records });
    const sources = [await sourcesOf(first.golden), await sourcesOf(second.golden)];
    await invokeSource(merge, { businessEntity, records });

    expect(sources).toEqual([[first.source], [second.source]]);
    expect(preview.payload).toMatchObject({ name: second.record.name, population: 9, featureCode: 'PPLA' });
    expect(preview.attributes).toMatchObject({ businessId: first.golden.businessId, statusCode: 200 });
    const { _meta, ...fields } = preview.payload;
    expect(await read(first.golden)).toMatchObject(fields);
  });

  it('merge-preview is retried after a transient fault, at the configured path', async () => {
    const [first, second] = [await city(), await city()];
    const configRef = stack.configure({ paths: { previewEntity: '/preview' } });
    stack.mdm.misbehave({ path: '/preview', status: 503 });
    stack.mdm.misbehave({ path: '/preview', status: 200, body: { name: 'X' } });

    const { payload } = await invokeSource(mergePreview, {
      configRef,
      businessEntity,
      records: [first.source, second.source],
    });

    expect(payload).toEqual({ name: 'X' });
    expect(stack.urls().slice(-2)).toEqual(['/preview/c360.city', '/preview/c360.city']);
  });
});
