import { beforeEach, describe, expect, it } from '@jest/globals';
import { handler as businessEntities } from '#functions/mdm/business-entities/handler.ts';
import { handler as jobStart } from '#functions/mdm/job-start/handler.ts';
import { handler as masterRead } from '#functions/mdm/master-read/handler.ts';
import { handler as relationshipCreate } from '#functions/mdm/relationship-create/handler.ts';
import { handler as sourcePatch } from '#functions/mdm/source-patch/handler.ts';
import { handler as sourceSubmit } from '#functions/mdm/source-submit/handler.ts';
import { CAUSES } from '#lib/contract/causes.ts';
import { startSandboxMdm } from '#sandbox/mdm/index.ts';
import { startMdmStack } from '#test/support/mdm/mdm-sandbox.ts';
import { invokeSource, problemOf } from '#test/support/aws/source-handler.ts';
import { use } from '#test/support/jest/use.ts';

/*
 * A write succeeds by its status. What the API says of it may come in a body, in headers, or not at all.
 */

const stack = await use(startMdmStack());
await invokeSource(businessEntities, {}); // logs in
beforeEach(() => stack.mdm.behave());

const key = { businessEntity: 'c360.city', sourceSystem: 'geonames', sourcePKey: 'write-1' };
const record = { name: 'Bonn', country: { Code: 'DE' } };
const job = { jobDefinitionId: 'nightly', kind: 'ingress' };
const end = (businessEntity: string) => ({ businessEntity, businessId: 'MDM1' });
const relationship = {
  relationship: 'c360.livesIn',
  sourceSystem: 'crm',
  from: end('c360.person'),
  to: end('c360.city'),
};

describe('a write', () => {
  it.each([201, 202, 204])(
    'a write that starts a job succeeds when the API answers %i without a body',
    async (status) => {
      stack.mdm.misbehave({ status });

      const { payload, attributes } = await invokeSource(jobStart, job);

      expect(payload).toEqual({});
      expect(attributes.statusCode).toBe(status);
    },
  );

  it('a write takes the id of a job from Location, or from a bare number', async () => {
    stack.mdm.misbehave({ status: 201, headers: { location: '/job/public/api/v1/jobInstance/714189942313869312' } });
    const byLocation = await invokeSource(jobStart, job);
    stack.mdm.misbehave({ status: 200, body: JSON.rawJSON('714189942313869313') });
    const byBody = await invokeSource(jobStart, job);

    expect(byLocation).toMatchObject({
      payload: { id: '714189942313869312' },
      attributes: { id: '714189942313869312' },
    });
    expect(byBody.attributes.id).toBe('714189942313869313');
  });

  it('a write takes the id of a relationship from Location', async () => {
    stack.mdm.misbehave({ status: 201, headers: { location: 'https://mdm.example.com/relationship/r/REL%201/?x=1' } });

    expect((await invokeSource(relationshipCreate, relationship)).attributes).toMatchObject({ id: 'REL 1' });
  });

  it("a write takes the id of a golden record from Location, but not from a source record's address", async () => {
    const submitted = async (location: string) => {
      stack.mdm.misbehave({ status: 201, headers: { location } });
      return (await invokeSource(sourceSubmit, { ...key, record })).attributes.businessId;
    };

    expect(await submitted('/business-entity/public/api/v1/entity/c360.city/MDM7')).toBe('MDM7');
    expect(await submitted('/business-entity/public/api/v1/entity/c360.city/geonames/1')).toBeUndefined();
    expect(await submitted('/business-entity/public/api/v1/entity-xref/c360.city/geonames/1')).toBeUndefined();
  });

  it.each(['[]', 'true', 'null', '{}'])(
    'a write succeeds by its status, whatever JSON comes with it: %s',
    async (body) => {
      stack.mdm.misbehave({ status: 200, body });

      expect(await invokeSource(sourceSubmit, { ...key, record })).toMatchObject({
        payload: {},
        attributes: { statusCode: 200 },
      });
    },
  );

  it('a write that waits for approval says so, and names the change list', async () => {
    stack.mdm.misbehave({ status: 202, headers: { 'INFA-MDM-CHANGELIST-ID': 'cl-1' } });

    const { attributes } = await invokeSource(sourceSubmit, { ...key, record });

    expect(attributes).toMatchObject({ approvalRequired: true, changeListId: 'cl-1', statusCode: 202 });
  });

  it('a write that a tenant must approve changes nothing', async () => {
    const mdm = await use(startSandboxMdm({ needsApproval: true }));
    const configRef = stack.configure(mdm.secret);

    const { attributes } = await invokeSource(sourceSubmit, { configRef, ...key, record });

    expect(attributes.approvalRequired).toBe(true);
    expect(await problemOf(masterRead, { configRef, ...key })).toMatchObject({ status: 404 });
  });

  it.each([
    [{ errorCode: 'MDM_LOCKED', errorSummary: 'The record of write-1 is locked' }],
    [{ error: { code: 'MDM_LOCKED', message: 'The record of write-1 is locked' } }],
    [{ error: 'MDM_LOCKED', message: 'The record of write-1 is locked' }],
  ])('a write whose success response is an error is refused: %j', async (body) => {
    stack.mdm.misbehave({ status: 200, body });

    const problem = await problemOf(sourceSubmit, { ...key, record });

    expect(problem).toMatchObject({ type: 'MDM:CLIENT_ERROR', status: 422, upstreamStatus: 200, retryable: false });
    expect(problem.detail).toContain('The record of … is locked');
    expect(stack.mdm.requests.at(-1)!.method).toBe('POST');
  });

  it.each([
    [{ errorCode: 0, message: 'Success' }],
    [{ errorCode: '0', errorSummary: 'No error' }],
    [{ errorCode: '', message: 'Done' }],
    [{ error: [], message: 'Done' }],
    [{ error: {}, message: 'Done' }],
  ])('whose success names no error is done: %j', async (body) => {
    stack.mdm.misbehave({ status: 200, body });

    expect((await invokeSource(sourceSubmit, { ...key, record })).attributes.statusCode).toBe(200);
  });

  it('whose response has an error beside the record is a success', async () => {
    stack.mdm.misbehave({ status: 200, body: { businessId: 'MDM7', error: { message: 'a warning' } } });

    expect((await invokeSource(sourceSubmit, { ...key, record })).attributes.businessId).toBe('MDM7');
  });
});

describe('source-patch', () => {
  const operations = [{ op: 'replace', path: '/name', value: 'X' }];
  const types = () => stack.mdm.requests.map(({ headers }) => headers['content-type']);
  const patch = (configRef: string) => invokeSource(sourcePatch, { configRef, ...key, operations });
  const refuse = (refused: number) => {
    if (refused > 0) stack.mdm.misbehave({ method: 'PATCH', status: 415, times: refused });
    stack.mdm.misbehave({ method: 'PATCH', status: 204, times: null });
  };

  it.each([
    ['application/json', 0],
    ['application/bes-patch+json', 1],
    ['application/json-patch+json', 2],
  ])('source-patch tries other media types until the API accepts %s, and remembers it', async (type, refused) => {
    const configRef = stack.configure();
    refuse(refused);

    await patch(configRef);
    const first = types().slice(-1 - refused);
    await patch(configRef);

    expect(first).toHaveLength(1 + refused);
    expect(first.at(-1)).toBe(type);
    expect(types().at(-1)).toBe(type);
    expect(types().slice(-2 - refused)).toEqual([...first, type]);
  });

  it('source-patch starts with the configured media type', async () => {
    const configRef = stack.configure({ patchType: 'application/bes-patch+json' });
    stack.mdm.misbehave({ method: 'PATCH', status: 204 });

    await patch(configRef);

    expect(types().at(-1)).toBe('application/bes-patch+json');
  });

  it('source-patch also tries application/json if it starts with another media type', async () => {
    const configRef = stack.configure({ patchType: 'application/merge-patch+json' });
    refuse(3);

    await patch(configRef);

    expect(types().slice(-4)).toEqual([
      'application/merge-patch+json',
      'application/bes-patch+json',
      'application/json-patch+json',
      'application/json',
    ]);
  });

  it('source-patch is refused if the API accepts no media type', async () => {
    stack.mdm.misbehave({ method: 'PATCH', status: 415, times: null });
    const before = stack.urls().length;

    expect(await problemOf(sourcePatch, { configRef: stack.configure(), ...key, operations })).toMatchObject({
      type: 'MDM:CLIENT_ERROR',
      status: 415,
    });
    expect(stack.urls().length - before).toBe(3);
  });
});

describe('a call that must not be sent twice', () => {
  it("a call that must not be sent twice has the invocation's time, however short its timeout", async () => {
    const configRef = stack.configure({ timeoutMs: 200 });
    await invokeSource(sourceSubmit, { configRef, ...key, record });
    stack.mdm.misbehave({ path: '/job', delayMs: 500 });

    expect((await invokeSource(jobStart, { configRef, ...job })).attributes.id).toBeDefined();
  });

  it('a call that must not be sent twice ends with the time of the invocation', async () => {
    stack.mdm.misbehave({ path: '/job', delayMs: 60_000 });

    expect(await problemOf(jobStart, job, { timeoutMs: 800 })).toMatchObject({
      type: 'MDM:TIMEOUT',
      outcome: 'unknown',
      hint: CAUSES['mdm-late-change'].hint,
    });
  });
});
