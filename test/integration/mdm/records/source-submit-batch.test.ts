import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { handler as sourceRead } from '#functions/mdm/source-read/handler.ts';
import { handler as sourceSubmitBatch } from '#functions/mdm/source-submit-batch/handler.ts';
import { startMdmStack } from '#test/support/mdm/mdm-sandbox.ts';
import { invokeSource, postSource, problemOf, type CallOptions } from '#test/support/aws/source-handler.ts';
import { use } from '#test/support/jest/use.ts';

const stack = await use(startMdmStack());
beforeEach(() => {
  stack.mdm.behave();
  stack.mdm.latencyMs = 0;
});

interface Result {
  attributes?: { statusCode: number; businessId: string };
  error?: { type: string; status: number; detail: string; retryable: boolean; upstreamStatus?: number };
}

let batches = 0;
const target = { businessEntity: 'c360.city', sourceSystem: 'geonames' };
const city = (name: string, record: object = {}) => ({ name, country: { Code: 'DE' }, ...record });
const some = (count: number, prefix = `b${++batches}`) =>
  Array.from({ length: count }, (_, index) => ({
    sourcePKey: `${prefix}-${index}`,
    record: city(`${prefix} ${index}`),
  }));
const submit = async (records: object[], more: object = {}, options: CallOptions = {}) =>
  (await invokeSource<{ results: Result[] }>(sourceSubmitBatch, { ...target, records, ...more }, options)).results;
const submits = () => stack.mdm.requests.filter(({ method, url }) => method === 'POST' && url.includes('/entity/'));
const bodiesSince = (count: number) =>
  submits()
    .slice(count)
    .map(({ body }) => JSON.parse(body) as { name: string });

describe('source-submit-batch', () => {
  it('submits 500 records and returns a result for each, in the given order', async () => {
    const records = some(500);
    const configRef = stack.configure({ timeoutMs: 60_000 });

    const results = await submit(records, { concurrency: 50, configRef }, { timeoutMs: 120_000 });

    expect(results.map(({ attributes, error }) => error ?? attributes?.statusCode)).toEqual(records.map(() => 201));
    const { attributes } = await invokeSource(sourceRead, { ...target, sourcePKey: records[321]!.sourcePKey });
    expect(attributes.businessId).toBe(results[321]!.attributes!.businessId);
  });

  it.each([1, 3, 50])('sends at most %i at a time', async (concurrency) => {
    stack.mdm.latencyMs = 20;
    const startedAt = performance.now();

    await submit(some(60), { concurrency });

    const leastMs = Math.ceil(60 / concurrency) * 20;
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(leastMs * 0.9);
  });

  it("returns one record's failure as its result, and submits the others", async () => {
    const records = some(3);
    records[1]!.record = city('Q', { country: { Code: 'QQ' } });

    const [first, second, third] = await submit(records);

    expect([first!.attributes?.statusCode, third!.attributes?.statusCode]).toEqual([201, 201]);
    expect(second!.error).toMatchObject({ type: 'MDM:CLIENT_ERROR', status: 400, retryable: false });
    expect(second!.error).toMatchObject({ upstreamErrors: [{ code: 'INVALID_LOOKUP' }] });
    expect(JSON.stringify(second!.error)).not.toContain(records[1]!.sourcePKey);
  });

  it('submits the records of one key in order', async () => {
    const key = `k${++batches}`;
    const records = Array.from({ length: 20 }, (_, index) => ({ sourcePKey: key, record: city(`${key} ${index}`) }));
    const before = submits().length;

    await submit(records, { concurrency: 50 });

    expect(bodiesSince(before).map(({ name }) => name)).toEqual(records.map(({ record }) => record.name));
    expect((await invokeSource(sourceRead, { ...target, sourcePKey: key })).payload.name).toBe(`${key} 19`);
  });

  it('submits no later record of a key after a failed one', async () => {
    const [one, other] = [`k${++batches}`, `k${++batches}`];
    const records = [
      { sourcePKey: one, record: city('Q', { country: { Code: 'QQ' } }) },
      { sourcePKey: other, record: city(other) },
      { sourcePKey: one, record: city(one) },
      { sourcePKey: one, record: city(one) },
    ];
    const before = submits().length;

    const results = await submit(records);

    expect(results.map(({ error }) => error?.retryable)).toEqual([false, undefined, true, true]);
    expect(results[2]!.error).toMatchObject({
      status: 409,
      detail: 'The record was not sent: an earlier record of its key failed',
    });
    expect(submits().length - before).toBe(2);
  });

  it('reports records for which time is too short as retryable, and loses no result', async () => {
    stack.mdm.latencyMs = 100;

    const results = await submit(some(40), { concurrency: 2 }, { timeoutMs: 1000 });

    const sent = results.filter(({ attributes }) => attributes).length;
    expect(results).toHaveLength(40);
    expect(sent).toBeGreaterThan(2);
    expect(sent).toBeLessThan(40);
    expect(results.at(-1)!.error).toMatchObject({ type: 'MDM:TIMEOUT', status: 504, retryable: true });
  });

  it('counts the failures in its 200 for the alarms, but not the records that were not sent', async () => {
    const written = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
    stack.mdm.misbehave({ path: '/business-entity', delayMs: 3_000 });
    const records = some(3);
    const batch = { ...target, configRef: stack.configure({ timeoutMs: 1_000 }), concurrency: 1 };
    const functionName = 'mdm-stream-dev-mdm-source-submit-batch';

    const { status, text } = await postSource(
      sourceSubmitBatch,
      { ...batch, records: [...records, { ...records[0]!, record: city('later') }] },
      { functionName },
    );
    const lines = written.mock.calls.map(([line]) => JSON.parse(String(line)) as Record<string, unknown>);
    written.mockRestore();

    const { results } = JSON.parse(text) as { results: Result[] };
    expect(status).toBe(200);
    expect(results.map(({ error }) => error?.status)).toEqual([504, undefined, undefined, 409]);
    expect(lines.filter(({ message }) => message === 'failure')).toMatchObject([
      { deployment: 'mdm-stream-dev', type: 'MDM:TIMEOUT', failures: 1 },
    ]);
  });

  it('source-submit-batch with validate refuses the whole batch, with all faults, before any is sent', async () => {
    const records: { sourcePKey: string; record: object }[] = some(5);
    records[1]!.record = { population: 'many' };
    records[3]!.record = { color: 'red', name: 7 };
    const before = submits().length;

    const problem = await problemOf(sourceSubmitBatch, { ...target, records, validate: true });

    expect(problem).toMatchObject({ type: 'MDM:CLIENT_ERROR', status: 400 });
    expect(problem.errors.map(({ pointer }) => pointer).sort()).toEqual([
      '/records/1/record/population',
      '/records/3/record/color',
      '/records/3/record/name',
    ]);
    expect(submits().length).toBe(before);
  });

  it.each([
    ['none', [], '/records', 'must have at least 1 item'],
    ['501', some(501), '/records', 'must have at most 500 items'],
    ['one without a key', [{ record: {} }], '/records/0/sourcePKey', 'is required'],
    ['one with a strange member', [{ sourcePKey: '1', record: {}, color: 1 }], '/records/0/color', 'is not known'],
  ])('refuses %s', async (_, records, pointer, message) => {
    expect(await problemOf(sourceSubmitBatch, { ...target, records })).toMatchObject({
      status: 400,
      errors: [{ pointer, message: expect.stringContaining(message) }],
    });
  });

  it('refuses the whole batch for a record nested 100,000 levels deep', async () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const before = submits().length;
    const body = JSON.stringify({ ...target, records: some(2) }).replace('"record":{', `"record":{"a":${deep},`);

    const { status, text } = await postSource(sourceSubmitBatch, body);

    expect(status).toBe(400);
    expect(JSON.parse(text)).toMatchObject({ errors: [{ pointer: '/records/0/record' }] });
    expect(submits().length).toBe(before);
  });

  it('logs in once, and again once when the session ends in the middle', async () => {
    const before = stack.mdm.logins;
    stack.mdm.misbehave({ skip: 10, expireSession: true });

    const results = await submit(some(40), { concurrency: 20, configRef: stack.configure() });

    expect(results.every(({ attributes }) => attributes?.statusCode === 201)).toBe(true);
    expect(stack.mdm.logins - before).toBeLessThanOrEqual(2);
  });
});
