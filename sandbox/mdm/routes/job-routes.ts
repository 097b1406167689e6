import { ok, refusal, type SandboxResponse } from '../records/responses.ts';
import { readJson, type Call, type RouteEntry, type Tenant } from '../tenant/tenant.ts';

const INSTANCE = 'job/public/api/v1/jobInstance';

const KINDS = ['Ingress', 'Egress', 'MatchAndMerge'];

/** Starting and reading jobs; ids are bare JSON numbers. */
export const jobRoutes: readonly RouteEntry[] = [
  ['POST', INSTANCE, startJob],
  ['GET', INSTANCE, readJob],
];

function startJob({ jobs, dialect }: Tenant, { body }: Call, [kind = '']: string[]): SandboxResponse {
  if (!KINDS.includes(kind)) throw refusal(404, 'JOB_KIND_UNKNOWN', 'No such kind of job');
  const { jobDefinitionId } = readJson(body);
  if (jobDefinitionId === undefined) throw refusal(400, 'JOB_DEFINITION_MISSING', 'jobDefinitionId is required');
  const id = jobs.start(kind, jobDefinitionId);
  return dialect.written({ status: 200, body: { id: JSON.rawJSON(id) }, location: `/${INSTANCE}/${id}` });
}

function readJob({ jobs }: Tenant, _call: Call, [id = '']: string[]): SandboxResponse {
  const job = jobs.read(id);
  if (!job) throw refusal(404, 'JOB_NOT_FOUND', `Job ${id} does not exist`);
  const { jobDefinitionId, kind, status } = job;
  return ok({ id: JSON.rawJSON(id), jobDefinitionId, jobType: kind, status });
}
