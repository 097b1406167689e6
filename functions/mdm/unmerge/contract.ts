import Type from 'typebox';
import { goldenKey } from '#lib/contract/parameters/mdm.ts';
import { fromVendor } from '#lib/contract/known-from.ts';
import { defineOperation } from '#lib/contract/operation.ts';
import { ChangeOutput, SourcesToUnmerge, unmergeOptions } from '#lib/contract/parameters/source.ts';

export const unmerge = defineOperation({
  name: 'mdm-unmerge',
  group: 'records',
  summary: 'Take source records out of a golden record',
  description: 'The call is never retried.',
  input: Type.Object({
    ...goldenKey,
    sources: SourcesToUnmerge,
    ...unmergeOptions,
  }),
  output: ChangeOutput,
  errors: ['MDM:CLIENT_ERROR', 'MDM:SERVER_ERROR', 'MDM:TIMEOUT', 'MDM:CONNECTIVITY'],
  idempotent: false,
  knownFrom: {
    path: fromVendor('Unmerge API', 'Path, body, the limit of ten records, and the values of `keepRelationships`.'),
    groupings: fromVendor('Unmerge API', '`ALL` and `NONE` for both groupings.'),
  },
  example: {
    input: {
      businessEntity: 'c360.city',
      businessId: 'MDM00000000002',
      sources: [{ sourceSystem: 'gazetteer', sourcePKey: '2692' }],
      keepRelationships: 'BUSINESS_ID',
    },
    output: {
      payload: { approvalRequired: false },
      attributes: { approvalRequired: false, statusCode: 200, requestId: 'req-35' },
    },
  },
});
