import Type from 'typebox';
import { submissionBatch } from '../../../lib/contract/parameters/mdm.ts';
import { defineOperation, withDefault } from '../../../lib/contract/operation.ts';
import { ChangeOutput, FailedRecord } from '../../../lib/contract/parameters/source.ts';

/** Create or update many source records. */
export const sourceSubmitBatch = defineOperation({
  name: 'mdm-source-submit-batch',
  group: 'records',
  summary: 'Create or update up to 500 source records, each on its own',
  description:
    'The status is always 200: each result is what `source-submit` returns, or `error`. Records of one key are sent in ' +
    'order; those after a failed one are not sent, and neither is what the time does not allow: their errors are ' +
    '`retryable`. With `validate`, faults of any record refuse the whole call.',
  input: Type.Object({
    ...submissionBatch,
    concurrency: withDefault(
      Type.Integer({ minimum: 1, maximum: 50, description: 'How many records are sent at the same time.' }),
      10,
    ),
  }),
  output: Type.Object({
    results: Type.Array(Type.Union([ChangeOutput, FailedRecord]), {
      description: 'One per record, in the order given.',
    }),
  }),
  errors: ['MDM:CLIENT_ERROR', 'MDM:SERVER_ERROR', 'MDM:TIMEOUT', 'MDM:CONNECTIVITY'],
  narrowWith: 'records',
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
