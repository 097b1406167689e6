import Type from 'typebox';
import { fromClients, fromService, fromVendor } from '#lib/contract/known-from.ts';
import { defineOperation } from '#lib/contract/operation.ts';
import { creationOutput } from '#lib/contract/parameters/source.ts';
import { newRelationship } from '#lib/contract/parameters/relationship.ts';

export const relationshipCreate = defineOperation({
  name: 'mdm-relationship-create',
  group: 'records',
  summary: 'Create a relationship between two golden records',
  description:
    'The call is never retried. By the documentation of the service behind the API, a second one between the same ' +
    'records updates the first.',
  input: Type.Object(newRelationship),
  output: creationOutput('Id of the relationship, if the API names it.'),
  errors: ['MDM:CLIENT_ERROR', 'MDM:SERVER_ERROR', 'MDM:TIMEOUT', 'MDM:CONNECTIVITY'],
  idempotent: false,
  knownFrom: {
    path: fromVendor(
      'Relationship API',
      "Path, `sourceSystem`, `hierarchyType`, `hierarchyId`, and the relationship's own attributes in the body.",
    ),
    answer: fromService('201 with `Location`; a second creation between the same records updates the first.'),
    ends: fromClients('`_from` and `_to` in the body.'),
  },
  example: {
    input: {
      relationship: 'c360.livesIn',
      sourceSystem: 'crm',
      from: { businessEntity: 'c360.person', businessId: 'MDM00000000004' },
      to: { businessEntity: 'c360.city', businessId: 'MDM00000000001' },
    },
    output: {
      payload: { approvalRequired: false, id: 'REL00000001' },
      attributes: { id: 'REL00000001', approvalRequired: false, statusCode: 201, requestId: 'req-37' },
    },
  },
});
