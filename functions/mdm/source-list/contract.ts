import Type from 'typebox';
import { goldenKey, listOutput } from '#lib/contract/parameters/mdm.ts';
import { fromClients, fromNobody, fromService } from '#lib/contract/known-from.ts';
import { defineOperation } from '#lib/contract/operation.ts';

export const sourceList = defineOperation({
  name: 'mdm-source-list',
  group: 'records',
  summary: 'List the source records of a golden record',
  description: 'All pages of the list are read and returned as one.',
  input: Type.Object(goldenKey),
  output: listOutput('`content` lists all source records, each with its `sourceSystem` and `sourcePKey`.'),
  readOnly: true,
  errors: ['MDM:CLIENT_ERROR', 'MDM:SERVER_ERROR', 'MDM:TIMEOUT', 'MDM:CONNECTIVITY'],
  knownFrom: {
    pages: fromService('Pages of ten, and the key in `id`.'),
    path: fromClients('The path, and the key beside the other members.'),
    size: fromNobody('Whether the public API takes `_size` up to 1,000: one that refuses it is asked without it.'),
  },
  example: {
    input: { businessEntity: 'c360.city', businessId: 'MDM00000000002' },
    output: {
      payload: {
        content: [
          { sourcePKey: '2886242', sourceSystem: 'geonames' },
          { sourcePKey: '2692', sourceSystem: 'gazetteer' },
        ],
      },
      attributes: { complete: true, statusCode: 200, requestId: 'req-33' },
    },
  },
});
