import Type from 'typebox';
import { sourceKey, exampleKey } from '#lib/contract/parameters/mdm.ts';
import { fromClients, fromNobody, fromService } from '#lib/contract/known-from.ts';
import { defineOperation } from '#lib/contract/operation.ts';
import { ChangeOutput, PatchOperations } from '#lib/contract/parameters/source.ts';

export const sourcePatch = defineOperation({
  name: 'mdm-source-patch',
  group: 'records',
  summary: 'Change parts of a source record with JSON Patch',
  description: 'The call is never retried, because an operation on a list would be done twice.',
  input: Type.Object({ ...sourceKey, operations: PatchOperations }),
  output: ChangeOutput,
  errors: ['MDM:CLIENT_ERROR', 'MDM:SERVER_ERROR', 'MDM:TIMEOUT', 'MDM:CONNECTIVITY'],
  idempotent: false,
  knownFrom: {
    mediaType: fromService('The media type `application/bes-patch+json`, and paths without a leading slash.'),
    path: fromClients('The path, and the same body as `application/json`.'),
    publicApi: fromNobody('Which media type the public API takes: three are tried.'),
  },
  example: {
    input: {
      ...exampleKey,
      operations: [{ op: 'replace', path: '/population', value: 331885 }],
    },
    output: {
      payload: { approvalRequired: false, businessId: 'MDM00000000001' },
      attributes: { businessId: 'MDM00000000001', approvalRequired: false, statusCode: 200, requestId: 'req-31' },
    },
  },
});
