import { mdmClient, type MdmClient } from '../../../lib/mdm/client.ts';
import { listSources } from '../../../lib/mdm/golden-record.ts';
import { endpoint, type Run } from '../../../lib/endpoint/endpoint.ts';
import { sourceList } from './contract.ts';

export const run: Run<typeof sourceList, MdmClient> = (record, mdm) => listSources(mdm, record);

export const handler = endpoint(sourceList, mdmClient, run);
