import Type from 'typebox';
import { listOutput } from '#lib/contract/parameters/mdm.ts';
import { fromClients, fromService, fromVendor } from '#lib/contract/known-from.ts';
import { defineOperation } from '#lib/contract/operation.ts';
import { oneEnd, relationshipQuery } from '#lib/contract/parameters/relationship.ts';

export const relationshipSearch = defineOperation({
  name: 'mdm-relationship-search',
  group: 'records',
  summary: 'Find the relationships from or to a golden record',
  description: 'All pages are read and returned as one.',
  input: Type.Object(relationshipQuery, oneEnd),
  output: listOutput('`content` lists all relationships, as the API returns them.'),
  readOnly: true,
  errors: ['MDM:CLIENT_ERROR', 'MDM:SERVER_ERROR', 'MDM:TIMEOUT', 'MDM:CONNECTIVITY'],
  knownFrom: {
    path: fromVendor('Relationship API', 'Path `filter`.'),
    pages: fromService('Pages of ten.'),
    filter: fromClients('`filter` with `_from` or `_to` in the body.'),
  },
  example: {
    input: { relationship: 'c360.livesIn', to: { businessEntity: 'c360.city', businessId: 'MDM00000000001' } },
    output: {
      payload: {
        content: [
          {
            _from: { businessEntity: 'c360.person', businessId: 'MDM00000000004' },
            _to: { businessEntity: 'c360.city', businessId: 'MDM00000000001' },
          },
        ],
      },
      attributes: { complete: true, statusCode: 200, requestId: 'req-38' },
    },
  },
});
