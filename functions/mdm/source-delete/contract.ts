import Type from 'typebox';
import { sourceKey, exampleKey } from '#lib/contract/parameters/mdm.ts';
import { fromClients, fromService, fromVendor } from '#lib/contract/known-from.ts';
import { defineOperation } from '#lib/contract/operation.ts';
import { ChangeOutput } from '#lib/contract/parameters/source.ts';

export const sourceDelete = defineOperation({
  name: 'mdm-source-delete',
  group: 'records',
  summary: 'Delete a source record',
  description:
    'The call is retried after a temporary fault. If the retry finds no record, the first attempt deleted it, and ' +
    'the call succeeds with `statusCode` 404. The golden record keeps the values of the remaining source records, ' +
    'and goes with the last of them.',
  input: Type.Object(sourceKey),
  output: ChangeOutput,
  errors: ['MDM:CLIENT_ERROR', 'MDM:SERVER_ERROR', 'MDM:TIMEOUT', 'MDM:CONNECTIVITY'],
  idempotent: true,
  knownFrom: {
    deletable: fromVendor('Source record API', 'Source records can be deleted, and restored.'),
    soft: fromService('The delete is soft: the state of the record changes.'),
    path: fromClients('The path.'),
  },
  example: {
    input: exampleKey,
    output: { payload: {}, attributes: { statusCode: 204, requestId: 'req-32' } },
  },
});
