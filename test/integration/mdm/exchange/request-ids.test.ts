import { beforeEach, describe, expect, it } from '@jest/globals';
import { handler as codelistRead } from '../../../../functions/mdm/codelist-read/handler.ts';
import { handler as httpRequest } from '../../../../functions/mdm/http-request/handler.ts';
import { handler as jobRead } from '../../../../functions/mdm/job-read/handler.ts';
import { handler as jobStart } from '../../../../functions/mdm/job-start/handler.ts';
import { handler as masterRead } from '../../../../functions/mdm/master-read/handler.ts';
import { handler as match } from '../../../../functions/mdm/match/handler.ts';
import { handler as merge } from '../../../../functions/mdm/merge/handler.ts';
import { handler as metadataRead } from '../../../../functions/mdm/metadata-read/handler.ts';
import { handler as relationshipCreate } from '../../../../functions/mdm/relationship-create/handler.ts';
import { handler as relationshipSearch } from '../../../../functions/mdm/relationship-search/handler.ts';
import { handler as search } from '../../../../functions/mdm/search/handler.ts';
import { handler as sourceDelete } from '../../../../functions/mdm/source-delete/handler.ts';
import { handler as sourceList } from '../../../../functions/mdm/source-list/handler.ts';
import { handler as sourcePatch } from '../../../../functions/mdm/source-patch/handler.ts';
import { handler as sourceRead } from '../../../../functions/mdm/source-read/handler.ts';
import { handler as sourceReplace } from '../../../../functions/mdm/source-replace/handler.ts';
import { handler as sourceSubmit } from '../../../../functions/mdm/source-submit/handler.ts';
import { handler as unmerge } from '../../../../functions/mdm/unmerge/handler.ts';
import type { Handler } from '../../../../lib/endpoint/endpoint.ts';
import { startMdmStack } from '../../../support/mdm/mdm-sandbox.ts';
import { invokeSource, problemOf } from '../../../support/aws/source-handler.ts';
import { use } from '../../../support/jest/use.ts';

/*
 * A record of the caller's may have a field `requestId`, which is no id of the API's: it is looked for in the bodies of
 * all other responses, where no header holds one.
 */

const stack = await use(startMdmStack());
beforeEach(() => stack.mdm.behave());

const NO_HEADERS = { 'INFA-REQUEST-ID': '', 'x-request-id': '', 'Tracking-Id': '' };
const golden = { businessEntity: 'c360.city', businessId: 'MDM1' };
const source = { businessEntity: 'c360.city', sourceSystem: 'geonames', sourcePKey: '1' };
const record = { name: 'Bonn' };
const relationship = { relationship: 'c360.livesIn', sourceSystem: 'crm', from: golden, to: golden };
const operations = [{ op: 'remove', path: '/name' }];
const bothKeys = [{ businessId: 'MDM1' }, { businessId: 'MDM2' }];
const sources = [{ sourceSystem: 'geonames', sourcePKey: '1' }];

const ofRecords: [name: string, Handler, object][] = [
  ['master-read', masterRead, golden],
  ['source-read', sourceRead, source],
  ['http-request', httpRequest, { method: 'GET', path: '/business-entity/x' }],
];
const ofTheApi: [name: string, Handler, object][] = [
  ['search', search, { businessEntity: 'c360.city', search: 'bonn' }],
  ['metadata-read', metadataRead, { resource: 'DATAMODEL' }],
  ['source-submit', sourceSubmit, { ...source, record }],
  ['source-replace', sourceReplace, { ...source, record }],
  ['source-patch', sourcePatch, { ...source, operations }],
  ['source-delete', sourceDelete, source],
  ['source-list', sourceList, golden],
  ['merge', merge, { businessEntity: 'c360.city', records: bothKeys }],
  ['unmerge', unmerge, { ...golden, sources }],
  ['match', match, { businessEntity: 'c360.city', record }],
  ['relationship-create', relationshipCreate, relationship],
  ['relationship-search', relationshipSearch, { relationship: 'c360.livesIn', from: golden }],
  ['job-start', jobStart, { jobDefinitionId: 'nightly', kind: 'ingress' }],
  ['job-read', jobRead, { id: '1' }],
  ['codelist-read', codelistRead, { id: 'gender' }],
];

function respondWith(status: number, more: object): void {
  const body = { searchResult: { records: [] }, content: [], ...more };
  for (const path of ['/business-entity', '/search', '/metadata', '/match', '/job', '/rdm-service']) {
    stack.mdm.misbehave({ path, status, headers: { ...NO_HEADERS, 'content-type': 'application/json' }, body });
  }
}

describe('a request id in the body of a response, where no header has one', () => {
  it.each(ofRecords)("is a field of the caller's record to %s", async (_, handler, parameters) => {
    respondWith(200, { requestId: 'a value of the record', errorId: 'another' });

    expect((await invokeSource(handler, parameters)).attributes).not.toHaveProperty('requestId');
  });

  it.each(ofTheApi)('is that of %s', async (_, handler, parameters) => {
    respondWith(200, { requestId: 'id-in-body' });

    expect((await invokeSource(handler, parameters)).attributes.requestId).toBe('id-in-body');
  });

  it.each([...ofRecords, ...ofTheApi])('is that of a failed %s', async (_, handler, parameters) => {
    respondWith(400, { errorCode: 'E_1', errorId: 'id-in-body' });

    expect(await problemOf(handler, parameters)).toMatchObject({ status: 400, upstreamRequestId: 'id-in-body' });
  });
});
