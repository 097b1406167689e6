import { openMdm, type MdmClient } from '#lib/mdm/client/client.ts';
import { startJob } from '#lib/mdm/records/job.ts';
import { endpoint, type Implementation } from '#lib/endpoint/endpoint.ts';
import { jobStart } from './contract.ts';

export const run: Implementation<typeof jobStart, MdmClient> = ({ jobDefinitionId, kind }, mdm) =>
  startJob(mdm, jobDefinitionId, kind);

export const handler = endpoint(jobStart, openMdm, run);
