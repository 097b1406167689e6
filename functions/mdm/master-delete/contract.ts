import Type from 'typebox';
import { fromNobody, fromService, fromVendor } from '#lib/contract/known-from.ts';
import { defineOperation } from '#lib/contract/operation.ts';
import { goldenKey } from '#lib/contract/parameters/mdm.ts';
import { ChangeOutput } from '#lib/contract/parameters/source.ts';

export const masterDelete = defineOperation({
  name: 'mdm-master-delete',
  group: 'records',
  summary: 'Delete a golden record with all its source records',
  description:
    'A deleted record can no longer be read, neither by business id nor by source key. The call is retried after ' +
    'a temporary fault. If the retry finds no record, the first attempt deleted it, and the call succeeds with ' +
    '`statusCode` 404.',
  input: Type.Object(goldenKey),
  output: ChangeOutput,
  errors: ['MDM:CLIENT_ERROR', 'MDM:SERVER_ERROR', 'MDM:TIMEOUT', 'MDM:CONNECTIVITY'],
  idempotent: true,
  knownFrom: {
    gone: fromVendor(
      'Business entity record APIs',
      'Master records can be deleted, and then answer neither by business id nor by source key.',
    ),
    path: fromService('The path.'),
    sources: fromNobody('Whether the source records are deleted with it.'),
  },
  example: {
    input: { businessEntity: 'c360.city', businessId: 'MDM00000000001' },
    output: { payload: {}, attributes: { statusCode: 204, requestId: 'req-43' } },
  },
});
