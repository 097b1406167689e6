import Type from 'typebox';
import { AnyJson, BusinessEntity, RecordFields, responseOf } from '../../../lib/contract/mdm-parameters.ts';
import { defineOperation, rule } from '../../../lib/contract/operation.ts';

const text = (description: string) => Type.Optional(Type.String({ minLength: 1, maxLength: 255, description }));
const reserved = { anyOf: [{ required: ['maxRecordsToReturn'] }, { required: ['searchLevel'] }] };

/** Find golden records that resemble a record. */
export const match = defineOperation({
  name: 'mdm-match',
  summary: 'Find golden records that resemble a record, with scores',
  description:
    "The record's fields are sent beside the options, under the names `maxRecordsToReturn` and `searchLevel`.",
  input: Type.Object({
    businessEntity: BusinessEntity,
    record: {
      ...RecordFields('Fields to match, as the business entity names them.'),
      minProperties: 1,
      allOf: [rule({ not: reserved }, 'must not have maxRecordsToReturn or searchLevel: give maxRecords, searchLevel')],
    },
    matchModel: text('The match model; without it, the one of the business entity.'),
    maxRecords: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 10_000, description: 'Most candidates; 100 by the API.' }),
    ),
    searchLevel: text('How widely to search, as the match model names it.'),
  }),
  output: responseOf(AnyJson('The candidates with their scores, as the API returns them.'), {}),
  readOnly: true,
  errors: ['MDM:CLIENT_ERROR', 'MDM:SERVER_ERROR', 'MDM:TIMEOUT', 'MDM:CONNECTIVITY'],
  narrowWith: 'maxRecords',
  example: {
    input: { businessEntity: 'c360.city', record: { name: 'Bon' }, maxRecords: 5 },
    output: {
      payload: { hits: 1, records: [{ _meta: { businessId: 'MDM00000000001', score: 0.857 }, name: 'Bonn' }] },
      attributes: { statusCode: 200, requestId: 'req-36' },
    },
  },
});
