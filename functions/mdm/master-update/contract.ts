import Type from 'typebox';
import { fromNobody, fromService, fromVendor } from '#lib/contract/known-from.ts';
import { defineOperation } from '#lib/contract/operation.ts';
import { masterChange, SourceLastUpdated, WholeRecord } from '#lib/contract/parameters/mdm.ts';
import { ChangeOutput } from '#lib/contract/parameters/source.ts';

export const masterUpdate = defineOperation({
  name: 'mdm-master-update',
  group: 'records',
  summary: 'Change a golden record by its business id',
  description:
    'The change makes or updates a source record of `sourceSystem`, and the golden record is computed anew. So ' +
    "another source's value of a field may survive. Whether an omitted field keeps its value depends on the tenant. " +
    'With `sourcePKey`, the call is retried after a temporary fault.',
  input: Type.Object({ ...masterChange, record: WholeRecord, sourceLastUpdated: Type.Optional(SourceLastUpdated) }),
  output: ChangeOutput,
  errors: ['MDM:CLIENT_ERROR', 'MDM:SERVER_ERROR', 'MDM:TIMEOUT', 'MDM:CONNECTIVITY'],
  idempotent: { with: 'sourcePKey' },
  knownFrom: {
    updatable: fromVendor(
      'Business entity record APIs',
      'Master records can be updated; the page was not seen beyond that.',
    ),
    path: fromService('The path, `sourceSystem` and `sourcePKey`, and that the change goes into a source record.'),
    withoutKey: fromNobody('What the API does without `sourcePKey`.'),
    omittedFields: fromNobody('Whether an omitted field keeps its value; the name of `sourceLastUpdated`.'),
  },
  example: {
    input: {
      businessEntity: 'c360.city',
      businessId: 'MDM00000000001',
      sourceSystem: 'crm',
      sourcePKey: 'bonn',
      record: { name: 'Bonn', country: { Code: 'DE' }, population: 331885 },
    },
    output: {
      payload: { approvalRequired: false, businessId: 'MDM00000000001' },
      attributes: { businessId: 'MDM00000000001', approvalRequired: false, statusCode: 200, requestId: 'req-41' },
    },
  },
});
