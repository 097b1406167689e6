import { mdmClient, type MdmClient } from '#lib/mdm/client/client.ts';
import { searchRelationships } from '#lib/mdm/records/relationship.ts';
import { endpoint, type Run } from '#lib/endpoint/endpoint.ts';
import { relationshipSearch } from './contract.ts';

export const run: Run<typeof relationshipSearch, MdmClient> = (parameters, mdm, { deadline }) =>
  searchRelationships(mdm, parameters, deadline);

export const handler = endpoint(relationshipSearch, mdmClient, run);
