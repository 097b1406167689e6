import { endpoint, type Implementation } from '#lib/endpoint/endpoint.ts';
import { openMdm, type MdmClient } from '#lib/mdm/client/client.ts';
import { deleteRelationship } from '#lib/mdm/records/relationship.ts';
import { relationshipDelete } from './contract.ts';

export const run: Implementation<typeof relationshipDelete, MdmClient> = (key, mdm) => deleteRelationship(mdm, key);

export const handler = endpoint(relationshipDelete, openMdm, run);
