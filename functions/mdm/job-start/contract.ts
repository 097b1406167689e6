import Type from 'typebox';
import { ObjectInternalId } from '#lib/contract/parameters/mdm.ts';
import { creationOutput } from '#lib/contract/parameters/source.ts';
import { defineOperation } from '#lib/contract/operation.ts';

export const jobStart = defineOperation({
  name: 'mdm-job-start',
  group: 'records',
  summary: 'Start an ingress or egress job',
  description: 'Jobs move records in bulk. The call is never retried, because a second one would start another job.',
  input: Type.Object({
    jobDefinitionId: { ...ObjectInternalId, description: 'Id of the job definition, as text.' },
    kind: Type.Enum(['ingress', 'egress'], { description: '`ingress` imports records; `egress` exports them.' }),
  }),
  output: creationOutput('Id of the job as text, exact even beyond 2^53; absent if the API does not name it.'),
  errors: ['MDM:CLIENT_ERROR', 'MDM:SERVER_ERROR', 'MDM:TIMEOUT', 'MDM:CONNECTIVITY'],
  idempotent: false,
  example: {
    input: { jobDefinitionId: 'nightly-cities', kind: 'ingress' },
    output: {
      payload: { id: 7141899423138 },
      attributes: { id: '7141899423138', statusCode: 200, requestId: 'req-39' },
    },
  },
});
