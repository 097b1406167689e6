import { mdmClient, type MdmClient } from '#lib/mdm/client/client.ts';
import { replaceSource } from '#lib/mdm/records/source-change.ts';
import { endpoint, type Run } from '#lib/endpoint/endpoint.ts';
import { sourceReplace } from './contract.ts';

export const run: Run<typeof sourceReplace, MdmClient> = ({ record, ...key }, mdm) => replaceSource(mdm, key, record);

export const handler = endpoint(sourceReplace, mdmClient, run);
