import Type from 'typebox';
import { fromNobody, fromService, fromVendor } from '#lib/contract/known-from.ts';
import { defineOperation } from '#lib/contract/operation.ts';
import { relationshipChange } from '#lib/contract/parameters/relationship.ts';
import { creationOutput } from '#lib/contract/parameters/source.ts';

export const relationshipUpdate = defineOperation({
  name: 'mdm-relationship-update',
  group: 'records',
  summary: 'Replace the attributes of a relationship',
  description: 'Whether an omitted attribute keeps its value depends on the tenant. Send all of them.',
  input: Type.Object(relationshipChange),
  output: creationOutput('Id of the relationship, if the API names it.'),
  errors: ['MDM:CLIENT_ERROR', 'MDM:SERVER_ERROR', 'MDM:TIMEOUT', 'MDM:CONNECTIVITY'],
  idempotent: true,
  knownFrom: {
    updatable: fromVendor('Relationship API', 'Relationships can be updated, and the body has their attributes.'),
    put: fromService('PUT, and the path with the id of the relationship.'),
    omitted: fromNobody(
      'Whether the ends and `sourceSystem` must be sent again, and whether an omitted attribute keeps its value.',
    ),
  },
  example: {
    input: { relationship: 'c360.livesIn', id: 'REL00000001', attributes: { since: '1770-12-17' } },
    output: {
      payload: { approvalRequired: false, id: 'REL00000001' },
      attributes: { id: 'REL00000001', approvalRequired: false, statusCode: 200, requestId: 'req-46' },
    },
  },
});
