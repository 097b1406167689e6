import Type from 'typebox';
import { defineOperation } from '#lib/contract/operation.ts';
import { SourcePKey, submission, Validate, exampleKey } from '#lib/contract/parameters/mdm.ts';
import { ChangeOutput } from '#lib/contract/parameters/source.ts';

export const sourceSubmit = defineOperation({
  name: 'mdm-source-submit',
  group: 'records',
  summary: 'Create or update a source record',
  description:
    'With `sourcePKey`, the submit is an upsert, and is retried after a temporary fault. Without it, the API assigns a key; ' +
    'a second submit would create a duplicate, so the call is never retried.',
  input: Type.Object({ ...submission, sourcePKey: Type.Optional(SourcePKey), validate: Validate }),
  output: ChangeOutput,
  errors: ['MDM:CLIENT_ERROR', 'MDM:SERVER_ERROR', 'MDM:TIMEOUT', 'MDM:CONNECTIVITY'],
  idempotent: { with: 'sourcePKey' },
  example: {
    input: {
      ...exampleKey,
      record: { name: 'Bonn', country: { Code: 'DE' }, population: 313125 },
    },
    output: {
      payload: { approvalRequired: false, id: 'geonames:2946447', businessId: 'MDM00000000001' },
      attributes: { businessId: 'MDM00000000001', approvalRequired: false, statusCode: 201, requestId: 'req-16' },
    },
  },
});
