import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Handler } from '#lib/endpoint/endpoint.ts';
import { startMdmStack } from '#test/support/mdm/mdm-sandbox.ts';
import { invokeSource, problemOf } from '#test/support/aws/source-handler.ts';
import { use } from '#test/support/jest/use.ts';

/*
 * A record of the caller's may have a field `requestId`, which is no id of the API's: it is looked for in the bodies of
 * all other responses, where no header holds one.
 */

const stack = await use(startMdmStack());
beforeEach(() => stack.mdm.behave());

const handlerOf = async (name: string) => {
  const module = (await import(`../../../../functions/mdm/${name}/handler.ts`)) as { handler: Handler };
  return module.handler;
};
const NO_HEADERS = { 'INFA-REQUEST-ID': '', X_INFA_LOG_CTX: '', 'x-request-id': '', 'Tracking-Id': '' };
const golden = { businessEntity: 'c360.city', businessId: 'MDM1' };
const source = { businessEntity: 'c360.city', sourceSystem: 'geonames', sourcePKey: '1' };
const record = { name: 'Bonn' };
const relationship = { relationship: 'c360.livesIn', sourceSystem: 'crm', from: golden, to: golden };
const operations = [{ op: 'remove', path: '/name' }];
const bothKeys = [{ businessId: 'MDM1' }, { businessId: 'MDM2' }];
const sources = [{ sourceSystem: 'geonames', sourcePKey: '1' }];

const ofRecords: [name: string, parameters: object][] = [
  ['master-read', golden],
  ['source-read', source],
  ['http-request', { method: 'GET', path: '/business-entity/x' }],
];
const ofTheApi: [name: string, parameters: object][] = [
  ['search', { businessEntity: 'c360.city', search: 'bonn' }],
  ['metadata-read', { resource: 'DATAMODEL' }],
  ['source-submit', { ...source, record }],
  ['source-replace', { ...source, record }],
  ['source-patch', { ...source, operations }],
  ['source-delete', source],
  ['source-list', golden],
  ['merge', { businessEntity: 'c360.city', records: bothKeys }],
  ['unmerge', { ...golden, sources }],
  ['match', { businessEntity: 'c360.city', record }],
  ['relationship-create', relationship],
  ['relationship-search', { relationship: 'c360.livesIn', from: golden }],
  ['job-start', { jobDefinitionId: 'nightly', kind: 'ingress' }],
  ['job-read', { id: '1' }],
  ['codelist-read', { id: 'gender' }],
];

function respondWith(status: number, more: object): void {
  const body = { searchResult: { records: [] }, content: [], ...more };
  for (const path of ['/business-entity', '/search', '/metadata', '/match', '/job', '/rdm-service']) {
    stack.mdm.misbehave({
      path,
      status,
      times: null,
      headers: { ...NO_HEADERS, 'content-type': 'application/json' },
      body,
    });
  }
}

describe('a request id that only the response body has', () => {
  it.each(ofRecords)("a request id in the caller's record stays a field for %s", async (name, parameters) => {
    respondWith(200, { requestId: 'a value of the record', errorId: 'another' });

    expect((await invokeSource(await handlerOf(name), parameters)).attributes).not.toHaveProperty('requestId');
  });

  it.each(ofTheApi)('a request id in a response body is reported for %s', async (name, parameters) => {
    respondWith(200, { requestId: 'id-in-body' });

    expect((await invokeSource(await handlerOf(name), parameters)).attributes.requestId).toBe('id-in-body');
  });

  it.each([...ofRecords, ...ofTheApi])(
    'a request id in an error body is reported for a failed %s',
    async (name, parameters) => {
      respondWith(400, { errorCode: 'E_1', errorId: 'id-in-body' });

      expect(await problemOf(await handlerOf(name), parameters)).toMatchObject({
        status: 400,
        upstreamRequestId: 'id-in-body',
      });
    },
  );
});

it.each([
  [undefined, 'x_infa_log_ctx', 'req_id=request-1'],
  ['My-Context', 'my-context', 'req_id=request-1'],
  ['', 'x_infa_log_ctx', undefined],
])('the correlation id is sent to the API in the configured header: %s', async (correlationHeader, name, value) => {
  const configRef = stack.configure({ correlationHeader });

  await invokeSource(await handlerOf('job-start'), { configRef, jobDefinitionId: 'nightly', kind: 'ingress' });

  expect(stack.mdm.requests.at(-1)!.headers[name]).toBe(value);
});
