import Type from 'typebox';
import { sourceKey } from '../../../lib/contract/parameters/mdm.ts';
import { defineOperation } from '../../../lib/contract/operation.ts';
import { ChangeOutput } from '../../../lib/contract/parameters/source.ts';

/** Delete a source record. */
export const sourceDelete = defineOperation({
  name: 'mdm-source-delete',
  group: 'records',
  summary: 'Delete a source record',
  description:
    'It is tried again after a passing fault. Where the API then says that the record is not there, the attempt whose ' +
    'response was lost has deleted it: a success with `statusCode` 404. The golden record is blended from the source ' +
    'records that remain, and gone with the last of them.',
  input: Type.Object(sourceKey),
  output: ChangeOutput,
  errors: ['MDM:CLIENT_ERROR', 'MDM:SERVER_ERROR', 'MDM:TIMEOUT', 'MDM:CONNECTIVITY'],
  example: {
    input: { businessEntity: 'c360.city', sourceSystem: 'geonames', sourcePKey: '2946447' },
    output: { payload: {}, attributes: { statusCode: 204, requestId: 'req-32' } },
  },
});
