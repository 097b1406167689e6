import { mdmClient, type MdmClient } from '#lib/mdm/client/client.ts';
import { readJob } from '#lib/mdm/services/job.ts';
import { endpoint, type Run } from '#lib/endpoint/endpoint.ts';
import { jobRead } from './contract.ts';

export const run: Run<typeof jobRead, MdmClient> = ({ id }, mdm) => readJob(mdm, id);

export const handler = endpoint(jobRead, mdmClient, run);
