import { endpoint, type Implementation } from '#lib/endpoint/endpoint.ts';
import { openMdm, type MdmClient } from '#lib/mdm/client/client.ts';
import { readRelationship } from '#lib/mdm/records/relationship.ts';
import { relationshipRead } from './contract.ts';

export const run: Implementation<typeof relationshipRead, MdmClient> = (key, mdm) => readRelationship(mdm, key);

export const handler = endpoint(relationshipRead, openMdm, run);
