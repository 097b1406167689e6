import { beforeEach, describe, expect, it } from '@jest/globals';
import { handler as masterRead } from '#functions/mdm/master-read/handler.ts';
import { handler as sourceRead } from '#functions/mdm/source-read/handler.ts';
import { handler as sourceSubmit } from '#functions/mdm/source-submit/handler.ts';
import { startMdmStack } from '#test/support/mdm/mdm-sandbox.ts';
import { startSandboxMdm } from '#sandbox/mdm/index.ts';
import { invokeSource, postSource, problemOf } from '#test/support/aws/source-handler.ts';
import { use } from '#test/support/jest/use.ts';

const stack = await use(startMdmStack());
beforeEach(() => stack.mdm.behave());

let keys = 0;
const city = (record: object = {}, more: object = {}) => ({
  businessEntity: 'c360.city',
  sourceSystem: 'geonames',
  sourcePKey: `key-${++keys}`,
  record: { name: `City ${keys}`, country: { Code: 'DE' }, ...record },
  ...more,
});
const lookup = ({ businessEntity, sourceSystem, sourcePKey }: ReturnType<typeof city>) => ({
  businessEntity,
  sourceSystem,
  sourcePKey,
});

/** A tenant whose submits keep the fields that they omit. */
async function partial(): Promise<string> {
  const mdm = await use(startSandboxMdm({ submit: 'partial' }));
  return stack.configure(mdm.secret);
}

describe('source-submit', () => {
  it('source-submit merges source records of one thing into one golden record, with the latest values', async () => {
    const first = city({ name: 'Bonn', population: 1, featureCode: 'PPLC' });
    const second = city({ name: 'Bonn', population: 2 }, { sourceSystem: 'gazetteer' });

    await invokeSource(sourceSubmit, first);
    await invokeSource(sourceSubmit, second);
    const golden = await invokeSource(masterRead, lookup(first));

    expect(golden.payload).toMatchObject({
      name: 'Bonn',
      population: 2,
      featureCode: 'PPLC',
      country: { Name: 'Germany' },
    });
    expect(golden.attributes).toMatchObject({ consolidation: 'CONSOLIDATED', state: 'ACTIVE', validation: 'PASSED' });
  });

  it('source-submit returns the business id and whether approval is needed', async () => {
    const response = await invokeSource(sourceSubmit, city());

    expect(response.attributes).toMatchObject({
      businessId: expect.stringMatching(/^MDM/),
      statusCode: 201,
      requestId: expect.stringMatching(/^req-/),
    });
    expect(response.attributes).not.toMatchObject({ approvalRequired: true });
  });

  it('source-submit is an upsert when the key is submitted again', async () => {
    const submission = city({ population: 1 });

    const created = await invokeSource(sourceSubmit, submission);
    const updated = await invokeSource(sourceSubmit, {
      ...submission,
      record: { ...submission.record, population: 2 },
    });

    expect(updated.attributes).toMatchObject({ businessId: created.attributes.businessId });
    expect((await invokeSource(sourceRead, lookup(submission))).payload.population).toBe(2);
  });

  it('source-submit sends a record without a key once, whatever happens to it', async () => {
    stack.mdm.misbehave({ status: 503 });
    const before = stack.urls().length;

    const problem = await problemOf(sourceSubmit, { ...city(), sourcePKey: undefined });

    expect(problem).toMatchObject({ type: 'MDM:SERVER_ERROR', status: 502, upstreamStatus: 503, retryable: false });
    expect(stack.urls().length - before).toBe(1);
  });

  it('source-submit retries a record with a key after a transient fault, with the same body', async () => {
    const submission = city();
    stack.mdm.misbehave({ status: 503 }, { reset: true });

    await invokeSource(sourceSubmit, submission);

    const bodies = stack.mdm.requests.slice(-3).map(({ body }) => JSON.parse(body) as unknown);
    expect(bodies).toEqual([submission.record, submission.record, submission.record]);
  });

  it.each([
    [
      'a field that the entity lacks',
      { color: 'red' },
      { pointer: '/record/color', message: 'is not a field of the entity' },
    ],
    [
      'a value of another type',
      { population: 'many' },
      { pointer: '/record/population', message: 'must be an integer or null' },
    ],
    [
      'a list that is none',
      { alternateName: 'Bunna' },
      { pointer: '/record/alternateName', message: 'must be an array or null' },
    ],
    ['a required field emptied', { name: null }, { pointer: '/record/name', message: 'must be a string' }],
  ])('source-submit with validate refuses %s before anything is sent', async (_, record, fault) => {
    await invokeSource(sourceSubmit, city({}, { validate: true })); // the model is read
    const before = stack.urls().length;

    const problem = await problemOf(sourceSubmit, city(record, { validate: true }));

    expect(problem).toMatchObject({ type: 'MDM:CLIENT_ERROR', status: 400, errors: [fault] });
    expect(stack.urls().length).toBe(before);
  });

  it('source-submit with validate names every fault of a new record at once', async () => {
    const problem = await problemOf(sourceSubmit, {
      ...city(),
      sourcePKey: undefined,
      record: { population: 'many', color: 1, location: { latitude: 1 } },
      validate: true,
    });

    expect(problem.errors.map(({ pointer }: { pointer: string }) => pointer).sort()).toEqual([
      '/record/color',
      '/record/country',
      '/record/location/longitude',
      '/record/name',
      '/record/population',
    ]);
  });

  it('source-submit with validate accepts an update of some fields of an existing record', async () => {
    const configRef = await partial();
    const submission = city({ population: 1 });
    const created = await invokeSource(sourceSubmit, { configRef, ...submission });

    await invokeSource(sourceSubmit, { configRef, ...submission, validate: true, record: { population: 2 } });
    await invokeSource(sourceSubmit, {
      configRef,
      ...submission,
      sourcePKey: undefined,
      businessId: created.attributes.businessId,
      validate: true,
      record: { name: 'B', country: { Code: 'DE' } },
    });

    expect((await invokeSource(sourceRead, { configRef, ...lookup(submission) })).payload.population).toBe(2);
  });

  it('source-submit with validate accepts a record as read, with _meta and _contentMeta', async () => {
    const submission = city({ population: 1 });
    await invokeSource(sourceSubmit, submission);
    const { payload } = await invokeSource(sourceRead, { ...lookup(submission), showContentMeta: true });

    const again = await invokeSource(sourceSubmit, { ...submission, validate: true, record: payload });

    expect(payload).toMatchObject({ _meta: {}, _contentMeta: {} });
    expect(again.attributes.statusCode).toBeLessThan(300);
  });

  it.each(['validated', 'not validated'])(
    'source-submit refuses a record nested 100,000 levels deep, %s',
    async (how) => {
      const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
      const { record: _, ...rest } = city({}, { validate: how === 'validated' });
      const body = `${JSON.stringify(rest).slice(0, -1)},"record":{"alternateName":${deep}}}`;

      const { status, text } = await postSource(sourceSubmit, body);

      expect(status).toBe(400);
      expect(JSON.parse(text)).toMatchObject({ type: 'MDM:CLIENT_ERROR', errors: [{ pointer: '/record' }] });
    },
  );

  it('source-submit keeps numbers beyond 2^53 exact on the way in and out', async () => {
    const submission = city();
    const body = JSON.stringify(submission).replace('"record":{', '"record":{"population":12345678901234567890,');

    await postSource(sourceSubmit, body);
    const { text } = await postSource(masterRead, lookup(submission));

    expect(text).toContain('"population":12345678901234567890');
  });

  it('source-submit reports what the API found wrong, without the key', async () => {
    const submission = city({ country: { Code: 'QQ' } }, { sourcePKey: 'secret-key-7' });

    const problem = await problemOf(sourceSubmit, submission);

    expect(problem).toMatchObject({ status: 400, upstreamCode: 'MDM_RECORD_INVALID' });
    expect(problem.detail).toContain('The record with key … is not valid; Field country names no known code');
  });
});

describe('master-read', () => {
  it('master-read sends each option only if it is true', async () => {
    const submission = city();
    await invokeSource(sourceSubmit, submission);

    await invokeSource(masterRead, lookup(submission));
    await invokeSource(masterRead, { ...lookup(submission), skipLookup: true, showContentMeta: true });

    const [plain, withOptions] = stack.urls().slice(-2);
    expect(plain).toBe(`/business-entity/public/api/v1/entity/c360.city/geonames/${submission.sourcePKey}`);
    expect(withOptions).toBe(`${plain}?_skipLookup=true&_showContentMeta=true`);
  });

  it('master-read reads by business id, and shows content metadata on request', async () => {
    const { attributes } = await invokeSource(sourceSubmit, city());

    const golden = await invokeSource(masterRead, {
      businessEntity: 'c360.city',
      businessId: attributes.businessId,
      showContentMeta: true,
    });

    expect(golden.payload._contentMeta).toMatchObject({ trust: { updateCount: 0 } });
  });

  it('master-read returns every attribute but the status as text', async () => {
    const submission = city();
    await invokeSource(sourceSubmit, submission);

    const { attributes } = await invokeSource(masterRead, lookup(submission));

    const { statusCode, ...texts } = attributes;
    expect(statusCode).toBe(200);
    expect(Object.keys(texts).sort()).toEqual([
      'businessEntity',
      'businessId',
      'consolidation',
      'createdBy',
      'creationDate',
      'lastUpdateDate',
      'requestId',
      'state',
      'updatedBy',
      'validation',
    ]);
    expect(Object.values(texts).every((value) => typeof value === 'string')).toBe(true);
  });

  it.each([
    ['neither lookup form', {}, 'has neither lookup form: give businessId, or sourceSystem and sourcePKey'],
    [
      'both lookup forms',
      { businessId: 'M1', sourceSystem: 's', sourcePKey: '1' },
      'has both lookup forms: give businessId, or sourceSystem and sourcePKey',
    ],
    ['half a lookup form', { sourceSystem: 's' }, 'has half a lookup form: sourceSystem and sourcePKey go together'],
  ])('master-read refuses %s', async (_, form, message) => {
    const problem = await problemOf(masterRead, { businessEntity: 'c360.city', ...form });

    expect(problem).toMatchObject({ type: 'MDM:CLIENT_ERROR', status: 400, errors: [{ pointer: '', message }] });
  });

  it('master-read answers 404 for a missing record, without its key', async () => {
    const problem = await problemOf(masterRead, { businessEntity: 'c360.city', businessId: 'MDM0SECRET' });

    expect(problem).toMatchObject({ type: 'MDM:CLIENT_ERROR', status: 404, upstreamCode: 'MDM_RECORD_NOT_FOUND' });
    expect(JSON.stringify(problem)).not.toContain('MDM0SECRET');
  });

  it('master-read returns no record for an error sent as a success, or a success without a body', async () => {
    const path = '/business-entity';
    const golden = { businessEntity: 'c360.city', businessId: 'MDM1' };
    stack.mdm.misbehave({ path, status: 200, body: { errorCode: 'E_7', errorSummary: 'Not now' } });
    stack.mdm.misbehave({ path, status: 204 });

    expect(await problemOf(masterRead, golden)).toMatchObject({ status: 422, upstreamCode: 'E_7', outcome: 'refused' });
    expect(await problemOf(masterRead, golden)).toMatchObject({
      status: 502,
      detail: 'The master data API answered without a body',
    });
  });

  it('master-read returns only pending records with showPending', async () => {
    const submission = city();
    const { attributes } = await invokeSource(sourceSubmit, submission);
    const pending = { ...lookup(submission), showPending: true };

    expect(await problemOf(masterRead, pending)).toMatchObject({ status: 404 });

    stack.mdm.records.golden('c360.city', String(attributes.businessId))!.state = 'PENDING';
    expect((await invokeSource(masterRead, pending)).attributes.state).toBe('PENDING');
  });

  it("master-read reads the record's own state, whatever other states it has", async () => {
    const states = { base: 'INACTIVE', state: 'ODD', validation: 'PASSED' };
    stack.mdm.misbehave({ path: '/business-entity', status: 200, body: { _meta: { states } } });

    const { attributes } = await invokeSource(masterRead, { businessEntity: 'c360.city', businessId: 'MDM1' });

    expect(attributes).toMatchObject({ state: 'INACTIVE', validation: 'PASSED' });
  });

  it.each(['..', '.', '', 'a/b', 'a%2Fb', 'x"y', 'a;b', '\u0007', '\ud800'])(
    'master-read refuses the key %j',
    async (sourcePKey) => {
      const problem = await problemOf(masterRead, {
        businessEntity: 'c360.city',
        sourceSystem: 'geonames',
        sourcePKey,
      });

      expect(problem).toMatchObject({ status: 400, errors: [{ pointer: '/sourcePKey' }] });
    },
  );

  it('master-read encodes whatever a key may hold', async () => {
    const submission = city({}, { sourcePKey: 'ä b?c#d&e=f+g' });
    await invokeSource(sourceSubmit, submission);

    const golden = await invokeSource(masterRead, lookup(submission));

    expect(golden.attributes.statusCode).toBe(200);
  });
});

it("source-read returns one source's record with its attributes", async () => {
  const submission = city({ population: 7 });
  await invokeSource(sourceSubmit, submission);

  const response = await invokeSource(sourceRead, { ...lookup(submission), resolveCrosswalk: true });

  expect(response.payload).toMatchObject({ population: 7 });
  expect(response.attributes).toMatchObject({
    sourceSystem: 'geonames',
    sourcePrimaryKey: submission.sourcePKey,
    xrefType: 'DATA',
    sourceLastUpdatedDate: expect.stringMatching(/^\d+$/),
  });
  expect(stack.urls().at(-1)).toMatch(/\?_resolveCrosswalk=true$/);
});
