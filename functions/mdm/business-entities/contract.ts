import Type from 'typebox';
import { fromClients, fromNobody } from '#lib/contract/known-from.ts';
import { defineOperation } from '#lib/contract/operation.ts';
import { NamedList } from '#lib/contract/parameters/mdm.ts';

export const businessEntities = defineOperation({
  name: 'mdm-business-entities',
  group: 'metadata',
  summary: "List the tenant's business entities",
  description: "Reads the tenant's data model, which a container keeps for five minutes.",
  input: Type.Object({}),
  output: NamedList,
  readOnly: true,
  errors: ['MDM:CLIENT_ERROR', 'MDM:SERVER_ERROR', 'MDM:TIMEOUT', 'MDM:CONNECTIVITY'],
  knownFrom: {
    model: fromClients('The path of the data model, and `businessEntity` with `guid` and `name` in it.'),
    internal: fromNobody('Entities whose ids begin with `rdm.`, or contain `enum` or `template`, are internal.'),
  },
  example: { input: {}, output: [{ id: 'c360.person', displayName: 'Person' }] },
});
