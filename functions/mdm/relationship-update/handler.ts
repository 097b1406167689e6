import { endpoint, type Implementation } from '#lib/endpoint/endpoint.ts';
import { openMdm, type MdmClient } from '#lib/mdm/client/client.ts';
import { updateRelationship } from '#lib/mdm/records/relationship.ts';
import { relationshipUpdate } from './contract.ts';

export const run: Implementation<typeof relationshipUpdate, MdmClient> = ({ configRef: _, ...change }, mdm) =>
  updateRelationship(mdm, change);

export const handler = endpoint(relationshipUpdate, openMdm, run);
