import { openMdm, type MdmClient } from '#lib/mdm/client/client.ts';
import { matchRecord } from '#lib/mdm/records/match.ts';
import { endpoint, type Implementation } from '#lib/endpoint/endpoint.ts';
import { match } from './contract.ts';

export const run: Implementation<typeof match, MdmClient> = ({ configRef: _, ...parameters }, mdm) =>
  matchRecord(mdm, parameters);

export const handler = endpoint(match, openMdm, run);
