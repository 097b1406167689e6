import { mdmClient, type MdmClient } from '#lib/mdm/client/client.ts';
import { unmergeRecord } from '#lib/mdm/records/golden-record.ts';
import { endpoint, type Run } from '#lib/endpoint/endpoint.ts';
import { unmerge } from './contract.ts';

export const run: Run<typeof unmerge, MdmClient> = ({ configRef: _, ...parameters }, mdm) =>
  unmergeRecord(mdm, parameters);

export const handler = endpoint(unmerge, mdmClient, run);
