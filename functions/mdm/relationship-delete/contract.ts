import Type from 'typebox';
import { fromService, fromVendor } from '#lib/contract/known-from.ts';
import { defineOperation } from '#lib/contract/operation.ts';
import { relationshipKey } from '#lib/contract/parameters/relationship.ts';
import { creationOutput } from '#lib/contract/parameters/source.ts';

export const relationshipDelete = defineOperation({
  name: 'mdm-relationship-delete',
  group: 'records',
  summary: 'Delete a relationship',
  description:
    'The records stay. The call is retried after a temporary fault. If the retry finds no relationship, the first ' +
    'attempt deleted it, and the call succeeds with `statusCode` 404.',
  input: Type.Object(relationshipKey),
  output: creationOutput('Id of the relationship, if the API names it.'),
  errors: ['MDM:CLIENT_ERROR', 'MDM:SERVER_ERROR', 'MDM:TIMEOUT', 'MDM:CONNECTIVITY'],
  idempotent: true,
  knownFrom: {
    deletable: fromVendor('Relationship API', 'Relationships can be deleted.'),
    path: fromService('The path with the id of the relationship.'),
  },
  example: {
    input: { relationship: 'c360.livesIn', id: 'REL00000001' },
    output: { payload: {}, attributes: { statusCode: 204, requestId: 'req-47' } },
  },
});
