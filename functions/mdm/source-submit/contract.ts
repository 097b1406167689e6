import Type from 'typebox';
import { fromNobody, fromVendor } from '#lib/contract/known-from.ts';
import { defineOperation } from '#lib/contract/operation.ts';
import { SourcePKey, submission, Validate, exampleKey } from '#lib/contract/parameters/mdm.ts';
import { ChangeOutput } from '#lib/contract/parameters/source.ts';

export const sourceSubmit = defineOperation({
  name: 'mdm-source-submit',
  group: 'records',
  summary: 'Create or update a source record',
  description:
    'With `sourcePKey`, the submit is an upsert, and is retried after a temporary fault. Without it, the API ' +
    'assigns a key; a second submit would create a duplicate, so the call is never retried.',
  input: Type.Object({ ...submission, sourcePKey: Type.Optional(SourcePKey), validate: Validate }),
  output: ChangeOutput,
  errors: ['MDM:CLIENT_ERROR', 'MDM:SERVER_ERROR', 'MDM:TIMEOUT', 'MDM:CONNECTIVITY'],
  idempotent: { with: 'sourcePKey' },
  knownFrom: {
    path: fromVendor(
      'Business entity record APIs',
      'Path, `sourceSystem`, `sourcePKey`, `businessId`, `_resolveCrosswalk`, and the characters of a key.',
    ),
    fullMode: fromVendor('REST API guidelines', 'All fields must be sent: full mode is the default.'),
    omittedFields: fromNobody(
      'Whether a submit of a known key keeps the fields that it omits; the name of `sourceLastUpdated`.',
    ),
  },
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
