import Type from 'typebox';
import { fromNobody, fromService } from '#lib/contract/known-from.ts';
import { defineOperation } from '#lib/contract/operation.ts';
import { BusinessEntity, GoldenRecord, masterAttributes, responseOf } from '#lib/contract/parameters/mdm.ts';
import { RecordsToMerge } from '#lib/contract/parameters/source.ts';

export const mergePreview = defineOperation({
  name: 'mdm-merge-preview',
  group: 'records',
  summary: 'Show the golden record that a merge would give',
  description: 'Takes what `merge` takes, and changes nothing.',
  input: Type.Object({ businessEntity: BusinessEntity, records: RecordsToMerge }),
  output: responseOf(GoldenRecord, masterAttributes),
  readOnly: true,
  errors: ['MDM:CLIENT_ERROR', 'MDM:SERVER_ERROR', 'MDM:TIMEOUT', 'MDM:CONNECTIVITY'],
  knownFrom: {
    path: fromService('The path `preview-entity`, business ids in the body, and the record in the response.'),
    publicApi: fromNobody('Whether the public API has it, and whether it takes source keys.'),
  },
  example: {
    input: {
      businessEntity: 'c360.city',
      records: [{ businessId: 'MDM00000000002' }, { sourceSystem: 'gazetteer', sourcePKey: '2692' }],
    },
    output: {
      payload: { _meta: { businessId: 'MDM00000000002' }, name: 'Bonn', country: { Name: 'Germany', Code: 'DE' } },
      attributes: { businessId: 'MDM00000000002', statusCode: 200, requestId: 'req-44' },
    },
  },
});
