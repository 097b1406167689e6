import { beforeEach, describe, expect, it } from '@jest/globals';
import { handler as relationshipSearch } from '#functions/mdm/relationship-search/handler.ts';
import { handler as sourceList } from '#functions/mdm/source-list/handler.ts';
import { startMdmStack } from '#test/support/mdm/mdm-sandbox.ts';
import { invokeSource, problemOf, type CallOptions } from '#test/support/aws/source-handler.ts';
import { use } from '#test/support/jest/use.ts';

const stack = await use(startMdmStack());
const { records } = stack.mdm;
beforeEach(() => stack.mdm.behave());

/** 25 source records of one city, from one system. */
const [first, ...others] = Array.from({ length: 25 }, (_, index) => {
  const record = { name: `List ${index}`, country: { Code: 'DE' } };
  return records.submit({ entity: 'c360.city', sourceSystem: 'geonames', sourcePKey: `list-${index}`, record }).source;
});
for (const other of others) records.move(other, records.golden('c360.city', first!.businessId)!);
const city = { businessEntity: 'c360.city', businessId: first!.businessId };

interface Listed {
  payload: { content: { sourceSystem: string; sourcePKey: string }[] };
  attributes: { complete: boolean };
}
const list = (options: CallOptions = {}) => invokeSource<Listed>(sourceList, city, options);

/** The list, page by page, in the form of a service. */
function serve(pages: readonly (readonly unknown[])[], form: (content: readonly unknown[], page: number) => object) {
  stack.mdm.misbehave(...pages.map((content, page) => ({ status: 200, body: form(content, page) })));
}
const members = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => ({ sourceSystem: 'crm', sourcePKey: `${from + index}` }));

describe('source-list', () => {
  it('source-list returns all source records of a golden record, each with its key', async () => {
    const { payload, attributes } = await list();

    const keys = payload.content.map(({ sourceSystem, sourcePKey }) => `${sourceSystem} ${sourcePKey}`);
    expect(keys.sort()).toEqual([first!, ...others].map(({ sourcePKey }) => `geonames ${sourcePKey}`).sort());
    expect(attributes.complete).toBe(true);
  });

  it.each<[string, (content: readonly unknown[], page: number) => object]>([
    ['`number` and `last`', (content, number) => ({ content, number, size: 10, last: number === 2 })],
    ['`page` and `last`', (content, page) => ({ content, page, size: 10, first: page === 0, last: page === 2 })],
    ['`lastPage`', (content, page) => ({ content, page, pageSize: 10, lastPage: page === 2 })],
    ['a size alone', (content) => ({ content, size: 10 })],
    ['a `pageSize` alone', (content) => ({ content, pageSize: 10 })],
  ])('source-list reads to the last page, and no further, if pages have %s', async (_, form) => {
    serve([members(0, 10), members(10, 20), members(20, 25)], form);
    const before = stack.urls().length;

    const { payload, attributes } = await list();

    expect(payload.content).toEqual(members(0, 25));
    expect(attributes.complete).toBe(true);
    expect(stack.urls().length - before).toBe(3);
  });

  it('source-list reads pages without totals until one is empty', async () => {
    serve([members(0, 10), members(10, 12), []], (content) => ({ content }));

    expect(await list()).toMatchObject({ payload: { content: members(0, 12) }, attributes: { complete: true } });
  });

  it('source-list ends incomplete when the service repeats a page', async () => {
    serve([members(0, 10), members(0, 10)], (content) => ({ content, last: false }));

    expect(await list()).toMatchObject({ payload: { content: members(0, 10) }, attributes: { complete: false } });
  });

  it.each(['number', 'page'])('source-list ends incomplete when the %s of a page is another one', async (name) => {
    serve([members(0, 10), members(30, 40)], (content, at) => ({ content, [name]: at * 3, last: false }));

    expect(await list()).toMatchObject({ payload: { content: members(0, 10) }, attributes: { complete: false } });
  });

  it('source-list ends incomplete when an empty page says that others follow', async () => {
    serve([members(0, 10), []], (content) => ({ content, last: false }));

    expect(await list()).toMatchObject({ payload: { content: members(0, 10) }, attributes: { complete: false } });
  });

  it('source-list ends incomplete when the time is up', async () => {
    serve([members(0, 10)], (content) => ({ content, last: false }));
    stack.mdm.misbehave({ delayMs: 60_000 });

    const { payload, attributes } = await list({ timeoutMs: 1000 });

    expect(payload.content).toHaveLength(10);
    expect(attributes.complete).toBe(false);
  });

  it('source-list is sent without a page size if the service refuses one', async () => {
    stack.mdm.misbehave({ status: 400, body: { errorCode: 'BAD_PARAMETER', errorSummary: '_size is too large' } });
    serve([members(0, 10), members(10, 11)], (content, page) => ({ content, last: page === 1 }));

    const { payload } = await list();

    expect(payload.content).toEqual(members(0, 11));
    expect(
      stack
        .urls()
        .slice(-3)
        .map((url) => url.split('?')[1]),
    ).toEqual(['_page=0&_size=1000', undefined, '_page=1']);
  });

  it('source-list is empty when the API answers 204', async () => {
    stack.mdm.misbehave({ status: 204 });

    expect(await list()).toMatchObject({ payload: { content: [] }, attributes: { complete: true, statusCode: 204 } });
  });
});

describe('a response that is not a list', () => {
  it.each([{}, { members: [] }, { content: null }, null])(
    'a list response without content is an error: %j',
    async (body) => {
      stack.mdm.misbehave({ status: 200, body: JSON.stringify(body) });

      expect(await problemOf(sourceList, city)).toMatchObject({
        type: 'MDM:SERVER_ERROR',
        detail: 'The master data API answered a list without `content`',
        upstreamRequestId: expect.any(String),
      });
    },
  );

  it("an error in place of a list is reported with the API's message", async () => {
    stack.mdm.misbehave({ status: 200, body: { errorCode: 'E_7', errorSummary: 'The index is not ready' } });

    expect(await problemOf(sourceList, city)).toMatchObject({
      type: 'MDM:CLIENT_ERROR',
      status: 422,
      detail: 'The master data API answered 200 with an error: The index is not ready',
      upstreamCode: 'E_7',
    });
  });

  it('a list may mix items of several shapes', async () => {
    const id = { sourceSystem: 'crm', sourcePKey: '2' };
    serve([[null, 'text', { id: 'r' }, members(1, 2)[0]], [{ businessEntity: 'c360.city', id }]], (content, page) => ({
      content,
      last: page === 1,
      page: page === 1 ? JSON.rawJSON('1e400') : '0',
    }));

    expect((await list()).payload.content).toEqual([
      null,
      'text',
      { id: 'r' },
      { sourceSystem: 'crm', sourcePKey: '1' },
      { businessEntity: 'c360.city', sourceSystem: 'crm', sourcePKey: '2' },
    ]);
  });
});

describe('relationship-search', () => {
  it('relationship-search returns all relationships of a golden record', async () => {
    const people = Array.from({ length: 12 }, (_, index) => {
      const record = { firstName: `Lister ${index}`, lastName: 'Smith' };
      return records.submit({ entity: 'c360.person', sourceSystem: 'crm', sourcePKey: `lister-${index}`, record });
    });
    for (const { source } of people) await relate(source.businessId);

    const { payload, attributes } = await invokeSource<{ payload: { content: unknown[] }; attributes: object }>(
      relationshipSearch,
      { relationship: 'c360.livesIn', to: city },
    );

    expect(payload.content).toHaveLength(12);
    expect(attributes).toMatchObject({ complete: true });
  });

  const relate = async (businessId: string) => {
    const { handler } = await import('#functions/mdm/relationship-create/handler.ts');
    const from = { businessEntity: 'c360.person', businessId };
    await invokeSource(handler, { relationship: 'c360.livesIn', sourceSystem: 'crm', from, to: city });
  };
});
