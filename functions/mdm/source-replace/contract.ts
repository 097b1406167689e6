import Type from 'typebox';
import { exampleKey, sourceKey, SourceLastUpdated, WholeRecord } from '#lib/contract/parameters/mdm.ts';
import { fromClients, fromNobody, fromService, fromVendor } from '#lib/contract/known-from.ts';
import { defineOperation } from '#lib/contract/operation.ts';
import { ChangeOutput } from '#lib/contract/parameters/source.ts';

export const sourceReplace = defineOperation({
  name: 'mdm-source-replace',
  group: 'records',
  summary: 'Replace a whole source record',
  description: 'Omitted fields are removed. Whether `source-submit` keeps them depends on the tenant.',
  input: Type.Object({ ...sourceKey, record: WholeRecord, sourceLastUpdated: Type.Optional(SourceLastUpdated) }),
  output: ChangeOutput,
  errors: ['MDM:CLIENT_ERROR', 'MDM:SERVER_ERROR', 'MDM:TIMEOUT', 'MDM:CONNECTIVITY'],
  idempotent: true,
  knownFrom: {
    updatable: fromVendor('Source record API', 'Source records can be updated; the page was not seen beyond that.'),
    put: fromService('PUT replaces the record, and creates one that does not exist.'),
    path: fromClients('The path.'),
    sourceLastUpdated: fromNobody('The name of `sourceLastUpdated`.'),
  },
  example: {
    input: {
      ...exampleKey,
      record: { name: 'Bonn', country: { Code: 'DE' }, population: 331885 },
    },
    output: {
      payload: { approvalRequired: false, businessId: 'MDM00000000001' },
      attributes: { businessId: 'MDM00000000001', approvalRequired: false, statusCode: 200, requestId: 'req-30' },
    },
  },
});
