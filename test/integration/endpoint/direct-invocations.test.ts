import { describe, expect, it } from '@jest/globals';
import { InvokeCommand } from '@aws-sdk/client-lambda';
import { registry } from '#functions/registry.ts';
import { FUNCTION_PREFIX, startLambdaService } from '../../support/aws/lambda-service.ts';
import { startMdmStack } from '../../support/mdm/mdm-sandbox.ts';
import { use } from '../../support/jest/use.ts';

/*
 * The MDM operations beyond the specification's six and its metadata, invoked directly as another Lambda does: the zips
 * as they are deployed, under AWS's own runtime client. Each succeeds, and fails with `errorType` and `errorMessage`.
 */

interface Output {
  payload: Record<string, unknown>;
  attributes: Record<string, unknown>;
}

const SPECIFIED =
  /^mdm-(master-read|search|source-read|source-submit|metadata-read|http-request|business-entities|source-systems|record-schema|source-enqueue(-batch)?|check)$/;
const city = { businessEntity: 'c360.city', sourceSystem: 'geonames' };
const bonn = { ...city, sourcePKey: 'bonn' };
const record = { name: 'Bonn', country: { Code: 'DE' } };
const absent = { businessEntity: 'c360.city', businessId: 'absent' };

let goldenId: string;

async function invoke(operation: string, input: object) {
  const command = new InvokeCommand({ FunctionName: FUNCTION_PREFIX + operation, Payload: JSON.stringify(input) });
  const { FunctionError, Payload } = await service.client.send(command);
  return { isFailed: FunctionError !== undefined, json: JSON.parse(Payload!.transformToString()) as unknown };
}

const golden = () => ({ businessEntity: 'c360.city', businessId: goldenId });
const content = (...items: object[]) => ({
  content: expect.arrayContaining(items.map((item) => expect.objectContaining(item))),
});
const source = (sourcePKey: string) => ({ sourceSystem: 'geonames', sourcePKey });

const stack = await use(startMdmStack());
for (const sourcePKey of ['bonn', 'cologne', 'berlin']) {
  const name = sourcePKey[0]!.toUpperCase() + sourcePKey.slice(1);
  const submission = { entity: 'c360.city', sourceSystem: 'geonames', sourcePKey, record: { ...record, name } };
  const { businessId } = stack.mdm.records.submit(submission).source;
  if (sourcePKey === 'bonn') goldenId = businessId;
}
const env = { CONNECTOR_SECRET_PREFIX: 'test/', AWS_ENDPOINT_URL_SECRETS_MANAGER: stack.secrets.url };
const service = await use(startLambdaService(env));

const relationship = { relationship: 'c360.livesIn' };
const livesIn = { ...relationship, id: 'REL00000001' };
const crm = { sourceSystem: 'crm', sourcePKey: 'bonn-in-crm' };

/** In this order: merge and unmerge, create and find, delete last. */
const SUCCESSES: [operation: string, input: () => object, output: () => unknown][] = [
  [
    'mdm-source-submit-batch',
    () => ({
      ...city,
      records: [
        { sourcePKey: 'bonn', record },
        { sourcePKey: 'x', record: { name: 1 } },
      ],
    }),
    () => ({
      results: [
        expect.objectContaining({ attributes: expect.objectContaining({ businessId: goldenId, statusCode: 200 }) }),
        { error: expect.objectContaining({ type: 'MDM:CLIENT_ERROR', status: 400 }) },
      ],
    }),
  ],
  [
    'mdm-source-patch',
    () => ({ ...bonn, operations: [{ op: 'add', path: '/population', value: 331885 }] }),
    () => responds(200, { approvalRequired: false }),
  ],
  ['mdm-source-replace', () => ({ ...bonn, record }), () => responds(200, { approvalRequired: false })],
  [
    'mdm-merge',
    () => ({ businessEntity: 'c360.city', records: [golden(), source('cologne')].map(withoutEntity) }),
    () => responds(200, { businessId: goldenId }),
  ],
  ['mdm-source-list', golden, () => responds(200, content(source('bonn'), source('cologne')))],
  [
    'mdm-merge-preview',
    () => ({ businessEntity: 'c360.city', records: [golden(), source('berlin')].map(withoutEntity) }),
    () => responds(200, { name: 'Bonn' }),
  ],
  ['mdm-master-update', () => ({ ...golden(), ...crm, record }), () => responds(200, { approvalRequired: false })],
  [
    'mdm-master-patch',
    () => ({ ...golden(), ...crm, operations: [{ op: 'add', path: '/population', value: 1 }] }),
    () => responds(200, { approvalRequired: false }),
  ],
  ['mdm-unmerge', () => ({ ...golden(), sources: [source('cologne')] }), () => responds(200, {})],
  ['mdm-match', () => ({ businessEntity: 'c360.city', record, maxRecords: 1 }), () => responds(200, { hits: 1 })],
  [
    'mdm-relationship-create',
    () => ({ ...relationship, sourceSystem: 'crm', from: person(), to: golden() }),
    () => responds(201, { id: expect.any(String) }),
  ],
  [
    'mdm-relationship-search',
    () => ({ ...relationship, to: golden() }),
    () => responds(200, content({ _to: golden() })),
  ],
  ['mdm-relationship-read', () => livesIn, () => responds(200, { _to: golden() })],
  ['mdm-relationship-update', () => ({ ...livesIn, attributes: {} }), () => responds(200, { id: livesIn.id })],
  ['mdm-relationship-delete', () => livesIn, () => responds(204, {})],
  ['mdm-job-start', () => ({ jobDefinitionId: 'nightly', kind: 'ingress' }), () => responds(200, {})],
  ['mdm-job-read', () => ({ id: '714189942313869312' }), () => responds(200, { status: expect.any(String) })],
  [
    'mdm-codelist-read',
    () => ({ id: 'gender' }),
    () => responds(200, { content: expect.arrayContaining([{ Code: 'F', Name: 'Female' }]) }),
  ],
  ['mdm-source-delete', () => bonn, () => responds(204, {})],
  ['mdm-master-delete', golden, () => responds(204, {})],
];

const FAILURES: [operation: string, input: () => object, message: RegExp][] = [
  ['mdm-source-submit-batch', () => ({ ...city, records: [] }), /^\/records must have at least 1 item$/],
  ['mdm-source-patch', () => ({ ...bonn, operations: [{ op: 'add', path: '/a' }] }), /must have a value for add/],
  ['mdm-source-replace', () => ({ ...city, sourcePKey: 'absent', record }), /answered 404/],
  ['mdm-merge', () => ({ businessEntity: 'c360.city', records: [{ businessId: '1' }] }), /at least 2 items/],
  ['mdm-source-list', () => absent, /answered 404/],
  ['mdm-merge-preview', () => ({ businessEntity: 'c360.city', records: [] }), /at least 2 items/],
  ['mdm-master-update', () => ({ ...absent, ...crm, record }), /answered 404/],
  ['mdm-master-patch', () => ({ ...absent, ...crm, operations: [] }), /^\/operations must have at least 1 item$/],
  ['mdm-master-delete', () => absent, /answered 404/],
  ['mdm-unmerge', () => ({ ...absent, sources: [source('cologne')] }), /answered 404/],
  ['mdm-match', () => ({ businessEntity: 'c360.city', record: {} }), /^\/record must have at least 1 field$/],
  [
    'mdm-relationship-create',
    () => ({ ...relationship, sourceSystem: 'crm', from: absent, to: absent }),
    /answered 40\d/,
  ],
  ['mdm-relationship-search', () => relationship, /^the input must have from or to$/],
  ['mdm-relationship-read', () => ({ ...relationship, id: 'absent' }), /answered 404/],
  ['mdm-relationship-update', () => ({ ...relationship, id: 'absent', attributes: {} }), /answered 404/],
  ['mdm-relationship-delete', () => ({ ...relationship, id: 'absent' }), /answered 404/],
  ['mdm-job-start', () => ({ jobDefinitionId: '..', kind: 'ingress' }), /^\/jobDefinitionId must be text of 1 to 255/],
  ['mdm-job-read', () => ({ id: 'absent' }), /answered 404/],
  ['mdm-codelist-read', () => ({ id: 'absent' }), /answered 404/],
  ['mdm-source-delete', () => ({ ...city, sourcePKey: 'absent' }), /answered 404/],
];

function responds(statusCode: number, payload: object): object {
  return {
    payload: expect.objectContaining(payload),
    attributes: expect.objectContaining({ statusCode, requestId: expect.any(String) }),
  } satisfies { [name in keyof Output]: unknown };
}
function withoutEntity({ businessEntity: _, ...key }: Record<string, unknown>): object {
  return key;
}
function person(): object {
  const submission = { entity: 'c360.person', sourceSystem: 'crm', sourcePKey: 'ludwig' };
  const { source } = stack.mdm.records.submit({ ...submission, record: { firstName: 'Ludwig', lastName: 'B' } });
  return { businessEntity: 'c360.person', businessId: source.businessId };
}

describe('a direct invocation of the packaged function', () => {
  it('every MDM operation beyond the specification has a documented direct invocation', () => {
    const beyond = registry
      .map(({ name }) => name as string)
      .filter((name) => name.startsWith('mdm-') && !SPECIFIED.test(name));

    expect(SUCCESSES.map(([operation]) => operation).sort()).toEqual(beyond.sort());
    expect(FAILURES.map(([operation]) => operation).sort()).toEqual(beyond.sort());
  });

  it.each(SUCCESSES)('%s returns its output', async (operation, input, output) => {
    expect(await invoke(operation, input())).toEqual({ isFailed: false, json: output() });
  });

  it.each(FAILURES)('%s fails with its error type', async (operation, input, message) => {
    const { isFailed, json } = await invoke(operation, input());

    expect(isFailed).toBe(true);
    expect(json).toMatchObject({ errorType: 'MDM:CLIENT_ERROR', errorMessage: expect.stringMatching(message) });
    expect(JSON.stringify(json)).not.toMatch(/node_modules|index\.cjs/);
  });
});
