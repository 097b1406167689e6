import { openMdm, type MdmClient } from '#lib/mdm/client/client.ts';
import { readJob } from '#lib/mdm/records/job.ts';
import { endpoint, type Implementation } from '#lib/endpoint/endpoint.ts';
import { jobRead } from './contract.ts';

export const run: Implementation<typeof jobRead, MdmClient> = ({ id }, mdm) => readJob(mdm, id);

export const handler = endpoint(jobRead, openMdm, run);
