import Type from 'typebox';
import { BusinessEntity } from '#lib/contract/parameters/mdm.ts';
import { fromNobody, fromVendor } from '#lib/contract/known-from.ts';
import { defineOperation } from '#lib/contract/operation.ts';
import { ChangeOutput, RecordsToMerge } from '#lib/contract/parameters/source.ts';

export const merge = defineOperation({
  name: 'mdm-merge',
  group: 'records',
  summary: 'Merge golden records into one',
  description: 'The call is never retried. The response names the golden record that now has all source records.',
  input: Type.Object({ businessEntity: BusinessEntity, records: RecordsToMerge }),
  output: ChangeOutput,
  errors: ['MDM:CLIENT_ERROR', 'MDM:SERVER_ERROR', 'MDM:TIMEOUT', 'MDM:CONNECTIVITY'],
  idempotent: false,
  knownFrom: {
    path: fromVendor(
      'Merge API',
      'Path, body, the limit of ten records, and `approvalRequired` and `businessId` in the response.',
    ),
    survivor: fromNobody('Which record survives.'),
  },
  example: {
    input: {
      businessEntity: 'c360.city',
      records: [{ businessId: 'MDM00000000002' }, { sourceSystem: 'gazetteer', sourcePKey: '2692' }],
    },
    output: {
      payload: { approvalRequired: false, businessId: 'MDM00000000002' },
      attributes: { businessId: 'MDM00000000002', approvalRequired: false, statusCode: 200, requestId: 'req-34' },
    },
  },
});
