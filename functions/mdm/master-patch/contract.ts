import Type from 'typebox';
import { fromNobody, fromService } from '#lib/contract/known-from.ts';
import { defineOperation } from '#lib/contract/operation.ts';
import { masterChange } from '#lib/contract/parameters/mdm.ts';
import { ChangeOutput, PatchOperations } from '#lib/contract/parameters/source.ts';

export const masterPatch = defineOperation({
  name: 'mdm-master-patch',
  group: 'records',
  summary: 'Change parts of a golden record with JSON Patch',
  description:
    'The change makes or updates a source record of `sourceSystem`, and the golden record is computed anew. The ' +
    'call is never retried, because an operation on a list would be done twice.',
  input: Type.Object({ ...masterChange, operations: PatchOperations }),
  output: ChangeOutput,
  errors: ['MDM:CLIENT_ERROR', 'MDM:SERVER_ERROR', 'MDM:TIMEOUT', 'MDM:CONNECTIVITY'],
  idempotent: false,
  knownFrom: {
    path: fromService('The path, the media type `application/bes-patch+json`, and paths without a leading slash.'),
    mediaType: fromNobody('Whether the public API takes another media type: three are tried.'),
  },
  example: {
    input: {
      businessEntity: 'c360.city',
      businessId: 'MDM00000000001',
      sourceSystem: 'crm',
      sourcePKey: 'bonn',
      operations: [{ op: 'replace', path: '/population', value: 331885 }],
    },
    output: {
      payload: { approvalRequired: false, businessId: 'MDM00000000001' },
      attributes: { businessId: 'MDM00000000001', approvalRequired: false, statusCode: 200, requestId: 'req-42' },
    },
  },
});
