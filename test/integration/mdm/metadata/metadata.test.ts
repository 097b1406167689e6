import { describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { handler as businessEntities } from '#functions/mdm/business-entities/handler.ts';
import { handler as masterRead } from '#functions/mdm/master-read/handler.ts';
import { handler as metadataRead } from '#functions/mdm/metadata-read/handler.ts';
import { handler as recordSchema } from '#functions/mdm/record-schema/handler.ts';
import { handler as search } from '#functions/mdm/search/handler.ts';
import { handler as sourceRead } from '#functions/mdm/source-read/handler.ts';
import { handler as sourceSystems } from '#functions/mdm/source-systems/handler.ts';
import { startMdmStack } from '#test/support/mdm/mdm-sandbox.ts';
import { startSandboxMdm } from '#sandbox/mdm/index.ts';
import { invokeSource, postSource, problemOf, type CallOptions } from '#test/support/aws/source-handler.ts';
import { use } from '#test/support/jest/use.ts';

const stack = await use(startMdmStack());

const person = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  birthDate: '1815-12-10',
  citizenship: [{ Code: 'GB' }],
  vip: true,
  PostalAddress: [
    { addressLine1: '12 St James Square', country: { Code: 'GB' }, geocode: { latitude: 51.5, longitude: -0.1 } },
  ],
};
const schemaOf = (operation: string, configRef = 'default') =>
  invokeSource<object>(recordSchema, { businessEntity: 'c360.person', operation, configRef });
const validates = (schema: object, value: unknown) => {
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true });
  return ajv.validate(schema, value) ? [] : ajv.errors;
};

describe('business-entities and source-systems', () => {
  it("business-entities lists the tenant's entities, without reference data, enumerations and templates", async () => {
    expect(await invokeSource<object[]>(businessEntities, {})).toEqual([
      { id: 'c360.person', displayName: 'Person' },
      { id: 'c360.city', displayName: 'City' },
    ]);
  });

  it.each(['root', 'entity'] as const)('source-systems lists those at the %s of the model', async (sourceSystemsAt) => {
    const mdm = await startSandboxMdm({ dataModel: { sourceSystemsAt } });
    const configRef = stack.configure(mdm.secret);

    const all = await invokeSource<object[]>(sourceSystems, { configRef });
    const ofCity = await invokeSource<object[]>(sourceSystems, { configRef, businessEntity: 'c360.city' });
    await mdm.close();

    expect(ofCity).toContainEqual({ id: 'geonames', displayName: 'GeoNames' });
    expect(all).toEqual(ofCity);
  });

  it('source-systems answers 404 for an entity that the tenant lacks', async () => {
    const problem = await problemOf(sourceSystems, { businessEntity: 'c360.nothing' });

    expect(problem).toMatchObject({
      status: 404,
      errors: [{ pointer: '/businessEntity', message: 'names no business entity of the tenant' }],
    });
  });
});

describe('record-schema', () => {
  it('record-schema fits the records that are read and submitted', async () => {
    stack.mdm.records.submit({ entity: 'c360.person', sourceSystem: 'crm', sourcePKey: '1', record: person });
    const key = { businessEntity: 'c360.person', sourceSystem: 'crm', sourcePKey: '1', showContentMeta: true };
    const answers = {
      'master-read': (await invokeSource(masterRead, key)).payload,
      'source-read': (await invokeSource(sourceRead, key)).payload,
      search: (await invokeSource(search, { businessEntity: 'c360.person', search: 'Ada', showContentMeta: true }))
        .payload,
      'source-submit': person,
    };

    for (const [operation, value] of Object.entries(answers)) {
      const schema = await schemaOf(operation);
      expect(schema).toMatchObject({ $schema: 'https://json-schema.org/draft/2020-12/schema' });
      expect(validates(schema, value)).toEqual([]);
    }
  });

  it('record-schema describes groups, lists, lookups, dates and required fields', async () => {
    const schema = await schemaOf('source-submit');

    const lookup = { properties: { Name: { type: 'string' }, Code: { type: 'string' } } };
    const geocode = { properties: { latitude: { type: ['number', 'string', 'null'] } } };
    expect(schema).toMatchObject({
      required: ['firstName', 'lastName'],
      additionalProperties: false,
      properties: {
        birthDate: { title: 'Birth Date', type: ['integer', 'string', 'null'] },
        citizenship: { type: ['array', 'null'], items: lookup },
        PostalAddress: { items: { type: 'object', required: ['addressLine1'], properties: { geocode } } },
      },
    });
    expect(schema).toHaveProperty('properties._contentMeta');
  });

  it("record-schema puts the entity's name at the root of search results", async () => {
    const schema = await schemaOf('search');

    const path = ['properties', 'searchResult', 'properties', 'records', 'items', 'properties', 'c360person.lastName'];
    expect(schema).toHaveProperty(path);
  });
});

describe('the data model', () => {
  it('concurrent calls fetch a data model of 12 MB once, and a new session does not fetch it again', async () => {
    const mdm = await startSandboxMdm({ dataModel: { bytes: 12_000_000 } });
    const configRef = stack.configure(mdm.secret);

    await Promise.all(Array.from({ length: 10 }, () => invokeSource<object[]>(businessEntities, { configRef })));
    mdm.sessions.expireAll();
    await invokeSource(metadataRead, { configRef, resource: 'RELATIONSHIP' });
    await schemaOf('search', configRef);

    const fetched = mdm.requests.filter(({ url }) => url.endsWith('/datamodel'));
    expect([fetched.length, mdm.logins]).toEqual([1, 2]);
    expect(fetched[0]!.headers).not.toHaveProperty('model_version');
    await mdm.close();
  });

  it('a data model is fetched again after a failure', async () => {
    const configRef = stack.configure({ headers: { 'x-test': '1' } }, {});
    const mdm = await startSandboxMdm();
    stack.secrets.set(`test/${configRef}`, { mdm: mdm.secret });
    mdm.misbehave({ path: '/metadata', status: 500 });

    expect(await problemOf(businessEntities, { configRef })).toMatchObject({ status: 502 });
    expect(await invokeSource<object[]>(businessEntities, { configRef })).toHaveLength(2);
    await mdm.close();
  });
});

describe('metadata-read', () => {
  it.each([
    [{ resource: 'BUSINESS_ENTITY', objectInternalId: 'c360.city' }, 'businessEntity/c360.city'],
    [{ resource: 'REFERENCE_ENTITY', objectInternalId: 'rdm.country' }, 'referenceEntity/rdm.country'],
    [{ resource: 'RELATIONSHIP' }, 'relationship'],
    [{ resource: 'RELATIONSHIP', name: 'Lives in' }, 'relationship?name=Lives+in'],
    [{ resource: 'VIEW', objectInternalId: 'v1' }, 'view/v1'],
    [{ resource: 'EXTERNAL_RESOURCE', objectInternalId: 'x1' }, 'externalResource/x1'],
    [{ resource: 'DATAMODEL' }, 'tenantModel/datamodel'],
  ])('metadata-read reads %j', async (parameters: { resource: string; objectInternalId?: string }, path) => {
    const { attributes, payload } = await invokeSource(metadataRead, parameters);

    expect(stack.urls().at(-1)).toBe(`/metadata/api/v2/objects/${path}`);
    expect(payload).toBeTruthy();
    expect(attributes).toMatchObject({ resource: parameters.resource, statusCode: 200 });
    expect(attributes.objectInternalId).toBe(parameters.objectInternalId);
  });

  it.each([
    [{ resource: 'VIEW' }, 'must have objectInternalId for this resource'],
    [
      { resource: 'DATAMODEL', objectInternalId: 'x' },
      'must not have objectInternalId: DATAMODEL and RELATIONSHIP are single resources',
    ],
  ])('metadata-read refuses %j', async (parameters, message) => {
    expect(await problemOf(metadataRead, parameters)).toMatchObject({
      status: 400,
      errors: [{ pointer: '', message }],
    });
  });

  const kinds = async (parameters: object, call: CallOptions = {}, paged = {}) => {
    const mdm = await startSandboxMdm({ dataModel: { relationships: 2500 } });
    if (Object.keys(paged).length > 0) mdm.misbehave({ path: '/metadata', ...paged });
    const query = { configRef: stack.configure(mdm.secret), resource: 'RELATIONSHIP', ...parameters };
    try {
      const { payload, attributes } = await invokeSource(metadataRead, query, call);
      const urls = mdm.requests.map(({ url }) => url).filter((url) => url.includes('relationship'));
      return { payload: payload as { content: { guid: string }[]; last: boolean }, attributes, urls };
    } finally {
      await mdm.close();
    }
  };

  it('metadata-read reads a page of relationships', async () => {
    const { payload, urls } = await kinds({ pageSize: 10, pageOffset: 3 });

    expect(urls).toEqual(['/metadata/api/v2/objects/relationship?pageSize=10&pageOffset=3']);
    expect(payload).toMatchObject({ size: 10, number: 3, last: false, totalElements: 2500 });
    expect(payload.content.map(({ guid }) => guid)).toContain('c360.relationship31');
  });

  it.each([
    ['from the first', {}, 2500],
    ['from a later one', { pageOffset: 2 }, 500],
    ['of a size that the service does not give', { pageSize: 5000 }, 2500],
    ['of a size', { pageSize: 999 }, 2500],
  ])('metadata-read reads all pages of relationships, %s', async (_, paging, count) => {
    const { payload, attributes } = await kinds({ allPages: true, ...paging });

    expect(new Set(payload.content.map(({ guid }) => guid)).size).toBe(count);
    expect(payload).toMatchObject({ last: true });
    expect(attributes).toMatchObject({ complete: true, statusCode: 200 });
  });

  it.each([
    ['the time is up', { skip: 1, delayMs: 60_000, times: null }, 1000],
    [
      'the service gives the first page again',
      { skip: 1, times: null, status: 200, body: { content: [{}], number: 0 } },
      1000,
    ],
    [
      '6 MB are reached',
      { skip: 1, times: null, status: 200, body: { content: ['x'.repeat(6_200_000)], number: 1 } },
      1000,
    ],
  ])('metadata-read returns what it has, marked incomplete, when %s', async (_, paged, count) => {
    const { payload, attributes } = await kinds({ allPages: true }, { timeoutMs: 1500 }, paged);

    expect(payload.content).toHaveLength(count);
    expect(attributes.complete).toBe(false);
  });

  it('metadata-read takes a bare list as all relationships', async () => {
    const body = [{ guid: 'a' }];

    const { payload, attributes } = await kinds({ allPages: true }, {}, { status: 200, body, path: '/metadata' });

    expect(payload).toEqual(body);
    expect(attributes.complete).toBe(true);
  });

  it.each([{ pageSize: 1 }, { pageOffset: 0 }, { allPages: true }])(
    'metadata-read refuses %j for a resource without pages',
    async (paging) => {
      expect(await problemOf(metadataRead, { resource: 'DATAMODEL', ...paging })).toMatchObject({
        status: 400,
        errors: [
          {
            pointer: '',
            message: 'must not have allPages, pageSize or pageOffset: only RELATIONSHIP is paged',
          },
        ],
      });
    },
  );

  it('metadata-read answers 413 for a model that is too large, and names the way out', async () => {
    const mdm = await startSandboxMdm({ dataModel: { bytes: 7_000_000 } });
    const configRef = stack.configure(mdm.secret);

    const { status, text } = await postSource(metadataRead, { configRef, resource: 'DATAMODEL' });
    await mdm.close();

    expect(status).toBe(413);
    expect(JSON.parse(text)).toMatchObject({ type: 'MDM:CLIENT_ERROR', detail: expect.stringContaining('resource') });
  });
});
