import { mdmClient, type MdmClient } from '#lib/mdm/client/client.ts';
import { startJob } from '#lib/mdm/services/job.ts';
import { endpoint, type Run } from '#lib/endpoint/endpoint.ts';
import { jobStart } from './contract.ts';

export const run: Run<typeof jobStart, MdmClient> = ({ jobDefinitionId, kind }, mdm) =>
  startJob(mdm, jobDefinitionId, kind);

export const handler = endpoint(jobStart, mdmClient, run);
