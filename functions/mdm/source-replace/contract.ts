import Type from 'typebox';
import { exampleKey, sourceKey, WholeRecord } from '#lib/contract/parameters/mdm.ts';
import { defineOperation } from '#lib/contract/operation.ts';
import { ChangeOutput } from '#lib/contract/parameters/source.ts';

export const sourceReplace = defineOperation({
  name: 'mdm-source-replace',
  group: 'records',
  summary: 'Replace a whole source record',
  description: 'Omitted fields are removed. Whether `source-submit` keeps them depends on the tenant.',
  input: Type.Object({ ...sourceKey, record: WholeRecord }),
  output: ChangeOutput,
  errors: ['MDM:CLIENT_ERROR', 'MDM:SERVER_ERROR', 'MDM:TIMEOUT', 'MDM:CONNECTIVITY'],
  idempotent: true,
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
