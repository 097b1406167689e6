import Type from 'typebox';
import { RecordFields, sourceKey } from '../../../lib/contract/parameters/mdm.ts';
import { defineOperation } from '../../../lib/contract/operation.ts';
import { ChangeOutput } from '../../../lib/contract/parameters/source.ts';

/** Replace a source record. */
export const sourceReplace = defineOperation({
  name: 'mdm-source-replace',
  group: 'records',
  summary: 'Replace a source record as a whole',
  description: 'Fields that the record leaves out are removed, where `source-submit` lets them stay.',
  input: Type.Object({
    ...sourceKey,
    record: RecordFields('The whole record, as the business entity names its fields.'),
  }),
  output: ChangeOutput,
  errors: ['MDM:CLIENT_ERROR', 'MDM:SERVER_ERROR', 'MDM:TIMEOUT', 'MDM:CONNECTIVITY'],
  example: {
    input: {
      businessEntity: 'c360.city',
      sourceSystem: 'geonames',
      sourcePKey: '2946447',
      record: { name: 'Bonn', country: { Code: 'DE' }, population: 331885 },
    },
    output: {
      payload: { approvalRequired: false, businessId: 'MDM00000000001' },
      attributes: { businessId: 'MDM00000000001', approvalRequired: false, statusCode: 200, requestId: 'req-30' },
    },
  },
});
