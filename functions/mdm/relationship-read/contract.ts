import Type from 'typebox';
import { fromService, fromVendor } from '#lib/contract/known-from.ts';
import { defineOperation } from '#lib/contract/operation.ts';
import { relationshipKey, RelationshipOutput } from '#lib/contract/parameters/relationship.ts';

export const relationshipRead = defineOperation({
  name: 'mdm-relationship-read',
  group: 'records',
  summary: 'Read a relationship by its id',
  input: Type.Object(relationshipKey),
  output: RelationshipOutput,
  readOnly: true,
  errors: ['MDM:CLIENT_ERROR', 'MDM:SERVER_ERROR', 'MDM:TIMEOUT', 'MDM:CONNECTIVITY'],
  knownFrom: {
    readable: fromVendor('Relationship API', 'Relationships can be read.'),
    path: fromService('The path with the id of the relationship.'),
  },
  example: {
    input: { relationship: 'c360.livesIn', id: 'REL00000001' },
    output: {
      payload: {
        _meta: { id: 'REL00000001' },
        _from: { businessEntity: 'c360.person', businessId: 'MDM00000000004' },
        _to: { businessEntity: 'c360.city', businessId: 'MDM00000000001' },
        since: '1770-12-17',
      },
      attributes: { id: 'REL00000001', statusCode: 200, requestId: 'req-45' },
    },
  },
});
