import Type from 'typebox';
import { defineOperation } from '../../../lib/contract/operation.ts';
import { SourcePKey, submission, Validate } from '../../../lib/contract/parameters/mdm.ts';
import { ChangeOutput } from '../../../lib/contract/parameters/source.ts';

/** Create or update a source record. */
export const sourceSubmit = defineOperation({
  name: 'mdm-source-submit',
  group: 'records',
  summary: 'Create or update a source record',
  description:
    'With `sourcePKey` it is an upsert, which is tried again after a passing fault. Without it the API assigns a key, ' +
    'so a second submit would be a duplicate: it is sent once.',
  input: Type.Object({ ...submission, sourcePKey: Type.Optional(SourcePKey), validate: Validate }),
  output: ChangeOutput,
  errors: ['MDM:CLIENT_ERROR', 'MDM:SERVER_ERROR', 'MDM:TIMEOUT', 'MDM:CONNECTIVITY'],
  example: {
    input: {
      businessEntity: 'c360.city',
      sourceSystem: 'geonames',
      sourcePKey: '2946447',
      record: { name: 'Bonn', country: { Code: 'DE' }, population: 313125 },
    },
    output: {
      payload: { approvalRequired: false, id: 'geonames:2946447', businessId: 'MDM00000000001' },
      attributes: { businessId: 'MDM00000000001', approvalRequired: false, statusCode: 201, requestId: 'req-16' },
    },
  },
});
