import Type from 'typebox';
import { goldenKey, RecordFields, responseOf } from '#lib/contract/parameters/mdm.ts';
import { defineOperation } from '#lib/contract/operation.ts';

export const sourceList = defineOperation({
  name: 'mdm-source-list',
  group: 'records',
  summary: 'List the source records of a golden record',
  input: Type.Object(goldenKey),
  output: responseOf(RecordFields('`content` lists the `sourceSystem` and `sourcePKey` of each source record.'), {}),
  readOnly: true,
  errors: ['MDM:CLIENT_ERROR', 'MDM:SERVER_ERROR', 'MDM:TIMEOUT', 'MDM:CONNECTIVITY'],
  example: {
    input: { businessEntity: 'c360.city', businessId: 'MDM00000000002' },
    output: {
      payload: {
        content: [
          { sourcePKey: '2886242', sourceSystem: 'geonames' },
          { sourcePKey: '2692', sourceSystem: 'gazetteer' },
        ],
      },
      attributes: { statusCode: 200, requestId: 'req-33' },
    },
  },
});
