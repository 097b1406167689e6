import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { handler as businessEntities } from '#functions/mdm/business-entities/handler.ts';
import { handler as httpRequest } from '#functions/mdm/http-request/handler.ts';
import { handler as masterRead } from '#functions/mdm/master-read/handler.ts';
import { handler as metadataRead } from '#functions/mdm/metadata-read/handler.ts';
import { handler as recordSchema } from '#functions/mdm/record-schema/handler.ts';
import { handler as search } from '#functions/mdm/search/handler.ts';
import { handler as sourceSystems } from '#functions/mdm/source-systems/handler.ts';
import { startMdmStack, type MdmStack } from '../support/mdm/mdm-sandbox.ts';
import { invokeSource, problemOf } from '../support/aws/source-handler.ts';

/*
 * What holds of every tenant. Without further ado the tenant is a sandbox; `MDM_CONTRACT_SECRET` names the connector
 * configuration of a real one: the secret `<CONNECTOR_SECRET_PREFIX><MDM_CONTRACT_SECRET>`, with AWS credentials in the
 * environment. Nothing is written to it.
 *
 *   CONNECTOR_SECRET_PREFIX=mdm-stream/dev/ MDM_CONTRACT_SECRET=default npx jest test/contract/mdm-tenant
 */

const configRef = process.env.MDM_CONTRACT_SECRET ?? 'default';
let sandbox: MdmStack | undefined;
let entities: { id: string; displayName: string }[];

beforeAll(async () => {
  if (process.env.MDM_CONTRACT_SECRET === undefined) {
    sandbox = await startMdmStack();
    const record = { firstName: 'Ada', lastName: 'Lovelace', PostalAddress: [{ addressLine1: '12 St James Square' }] };
    sandbox.mdm.records.submit({ entity: 'c360.person', sourceSystem: 'crm', sourcePKey: '1', record });
  }
  entities = await invokeSource(businessEntities, { configRef });
});
afterAll(async () => {
  await sandbox?.close();
});

interface Hit {
  _meta: { businessId: unknown };
}
interface Found {
  payload: { searchResult: { hits: number; records: Hit[] } };
  attributes: { hits: number; statusCode: number };
}

const find = (businessEntity: string, more: object = {}) =>
  invokeSource<Found>(search, { configRef, businessEntity, search: '*', pageSize: 5, ...more });

/** The first entity that holds a record, and that record's id. */
async function anyRecord(): Promise<{ businessEntity: string; businessId: string }> {
  for (const { id: businessEntity } of entities) {
    const { payload } = await find(businessEntity);
    const [first] = payload.searchResult.records;
    if (first) return { businessEntity, businessId: String(first._meta.businessId) };
  }
  throw new Error('No entity of the tenant holds a record');
}

async function faultsOf(businessEntity: string, operation: string, value: unknown) {
  const schema = await invokeSource<object>(recordSchema, { configRef, businessEntity, operation });
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true });
  return ajv.validate(schema, value) ? [] : ajv.errors;
}

describe('a tenant', () => {
  it('a tenant has business entities, each with source systems and valid schemas', async () => {
    expect(entities.length).toBeGreaterThan(0);
    for (const { id: businessEntity } of entities) {
      const systems = await invokeSource<{ id: string }[]>(sourceSystems, { configRef, businessEntity });
      const schema = await invokeSource<object>(recordSchema, {
        configRef,
        businessEntity,
        operation: 'source-submit',
      });

      expect(systems.every(({ id }) => id !== '')).toBe(true);
      expect(new Ajv2020({ strict: true, allowUnionTypes: true }).validateSchema(schema)).toBe(true);
    }
  });

  it('a tenant answers a search that fits its schema, page by page', async () => {
    const { businessEntity } = await anyRecord();

    const found = await find(businessEntity);
    const byRecord = await find(businessEntity, { pageSize: undefined, recordsToReturn: 5, recordOffset: 0 });

    expect(await faultsOf(businessEntity, 'search', found.payload)).toEqual([]);
    expect(found.attributes).toMatchObject({ hits: found.payload.searchResult.hits, statusCode: 200 });
    expect(byRecord.payload.searchResult.hits).toBe(found.payload.searchResult.hits);
  });

  it('a tenant answers a golden record that fits its schema, with its attributes', async () => {
    const { businessEntity, businessId } = await anyRecord();

    const golden = await invokeSource(masterRead, { configRef, businessEntity, businessId, showContentMeta: true });

    expect(await faultsOf(businessEntity, 'master-read', golden.payload)).toEqual([]);
    expect(golden.attributes).toMatchObject({ businessId, businessEntity, statusCode: 200 });
  });

  it('a tenant answers 404 for a missing record', async () => {
    const { businessEntity } = await anyRecord();

    const problem = await problemOf(masterRead, { configRef, businessEntity, businessId: 'NO0000SUCH0RECORD' });

    expect(problem).toMatchObject({ type: 'MDM:CLIENT_ERROR', status: 404 });
  });

  it('a tenant describes an entity as its data model does', async () => {
    const [{ id: objectInternalId } = { id: '' }] = entities;

    const entity = await invokeSource(metadataRead, { configRef, resource: 'BUSINESS_ENTITY', objectInternalId });
    const path = `/metadata/api/v2/objects/businessEntity/${objectInternalId}`;
    const same = await invokeSource(httpRequest, { configRef, method: 'GET', path });

    expect(entity.attributes).toMatchObject({ resource: 'BUSINESS_ENTITY', objectInternalId, statusCode: 200 });
    expect(same.payload).toEqual(entity.payload);
  });
});
