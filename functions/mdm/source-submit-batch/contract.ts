import Type from 'typebox';
import { submissionBatch } from '#lib/contract/parameters/mdm.ts';
import { fromVendor } from '#lib/contract/known-from.ts';
import { defineOperation, withDefault } from '#lib/contract/operation.ts';
import { ChangeOutput, FailedRecord } from '#lib/contract/parameters/source.ts';

export const sourceSubmitBatch = defineOperation({
  name: 'mdm-source-submit-batch',
  group: 'records',
  summary: 'Create or update up to 500 source records, each independently',
  description:
    'The status is always 200. Each result is an output of `source-submit`, or an `error`. Records with the same ' +
    'key are sent in order. Records after a failed one of their key, and records that the call has no time for, ' +
    'are not sent; their errors are `retryable`. With `validate`, a fault in any record fails the whole call.',
  input: Type.Object({
    ...submissionBatch,
    concurrency: withDefault(
      Type.Integer({ minimum: 1, maximum: 50, description: 'Number of records sent at the same time.' }),
      10,
    ),
  }),
  output: Type.Object({
    results: Type.Array(Type.Union([ChangeOutput, FailedRecord]), {
      description: 'One per record, in the order given.',
    }),
  }),
  errors: ['MDM:CLIENT_ERROR', 'MDM:SERVER_ERROR', 'MDM:TIMEOUT', 'MDM:CONNECTIVITY'],
  idempotent: true,
  narrowWith: 'records',
  knownFrom: {
    oneByOne: fromVendor('REST API guidelines', 'The API has no bulk submit: records go one by one.'),
    submit: fromVendor('Business entity record APIs', 'What each record does is known as of `source-submit`.'),
  },
  example: {
    input: {
      businessEntity: 'c360.city',
      sourceSystem: 'geonames',
      records: [{ sourcePKey: '2946447', record: { name: 'Bonn', country: { Code: 'DE' } } }],
    },
    output: {
      results: [
        {
          payload: { approvalRequired: false, businessId: 'MDM00000000001' },
          attributes: { businessId: 'MDM00000000001', approvalRequired: false, statusCode: 201, requestId: 'req-42' },
        },
      ],
    },
  },
});
