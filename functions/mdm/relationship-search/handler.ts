import { openMdm, type MdmClient } from '#lib/mdm/client/client.ts';
import { searchRelationships } from '#lib/mdm/records/relationship.ts';
import { endpoint, type Implementation } from '#lib/endpoint/endpoint.ts';
import { relationshipSearch } from './contract.ts';

export const run: Implementation<typeof relationshipSearch, MdmClient> = (parameters, mdm, { deadline }) =>
  searchRelationships(mdm, parameters, deadline);

export const handler = endpoint(relationshipSearch, openMdm, run);
