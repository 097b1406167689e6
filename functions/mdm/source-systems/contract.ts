import Type from 'typebox';
import { fromClients, fromNobody } from '#lib/contract/known-from.ts';
import { defineOperation } from '#lib/contract/operation.ts';
import { BusinessEntity, NamedList } from '#lib/contract/parameters/mdm.ts';

export const sourceSystems = defineOperation({
  name: 'mdm-source-systems',
  group: 'metadata',
  summary: "List the tenant's source systems, or those of one business entity",
  description: "Reads the tenant's data model, which a container keeps for five minutes.",
  input: Type.Object({ businessEntity: Type.Optional(BusinessEntity) }),
  output: NamedList,
  readOnly: true,
  errors: ['MDM:CLIENT_ERROR', 'MDM:SERVER_ERROR', 'MDM:TIMEOUT', 'MDM:CONNECTIVITY'],
  knownFrom: {
    model: fromClients('The path of the data model.'),
    place: fromNobody('Source systems stand inside their entity, or in a list that refers to it: both are read.'),
  },
  example: { input: { businessEntity: 'c360.city' }, output: [{ id: 'geonames', displayName: 'GeoNames' }] },
});
