import { openMdm, type MdmClient } from '#lib/mdm/client/client.ts';
import { createRelationship } from '#lib/mdm/records/relationship.ts';
import { endpoint, type Implementation } from '#lib/endpoint/endpoint.ts';
import { relationshipCreate } from './contract.ts';

export const run: Implementation<typeof relationshipCreate, MdmClient> = ({ configRef: _, ...parameters }, mdm) =>
  createRelationship(mdm, parameters);

export const handler = endpoint(relationshipCreate, openMdm, run);
