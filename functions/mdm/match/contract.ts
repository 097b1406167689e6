import Type from 'typebox';
import { matchQuery } from '#lib/contract/parameters/match.ts';
import { AnyJson, responseOf } from '#lib/contract/parameters/mdm.ts';
import { fromNobody, fromVendor } from '#lib/contract/known-from.ts';
import { defineOperation } from '#lib/contract/operation.ts';

export const match = defineOperation({
  name: 'mdm-match',
  group: 'records',
  summary: 'Find golden records that resemble a record, with scores',
  description:
    'The API receives the options beside the fields of the record, as `maxRecordsToReturn` and `searchLevel`.',
  input: Type.Object(matchQuery),
  output: responseOf(AnyJson('The candidates with their scores, as the API returns them.'), {}),
  readOnly: true,
  errors: ['MDM:CLIENT_ERROR', 'MDM:SERVER_ERROR', 'MDM:TIMEOUT', 'MDM:CONNECTIVITY'],
  narrowWith: 'maxRecords',
  knownFrom: {
    path: fromVendor(
      'Search Match API',
      'Path, `matchmodel`, `maxRecordsToReturn` (100 by default) and `searchLevel`.',
    ),
    fields: fromNobody('How the fields of the record travel: beside the options.'),
  },
  example: {
    input: { businessEntity: 'c360.city', record: { name: 'Bon' }, maxRecords: 5 },
    output: {
      payload: { hits: 1, records: [{ _meta: { businessId: 'MDM00000000001', score: 0.857 }, name: 'Bonn' }] },
      attributes: { statusCode: 200, requestId: 'req-36' },
    },
  },
});
