import Type from 'typebox';
import { ObjectInternalId, RecordFields, responseOf } from '../../../lib/contract/parameters/mdm.ts';
import { defineOperation } from '../../../lib/contract/operation.ts';

/** Start a job. */
export const jobStart = defineOperation({
  name: 'mdm-job-start',
  group: 'records',
  summary: 'Start an ingress or egress job',
  description: 'Records in bulk travel by jobs. Sent once: repeated, it would start another.',
  input: Type.Object({
    jobDefinitionId: { ...ObjectInternalId, description: 'Id of the job definition, as text.' },
    kind: Type.Enum(['ingress', 'egress'], { description: 'Whether records are taken in or given out.' }),
  }),
  output: responseOf(RecordFields('The job, as the API returns it.'), {
    id: Type.Optional(Type.String({ description: 'Id of the job as text, exact where it exceeds 2^53.' })),
  }),
  errors: ['MDM:CLIENT_ERROR', 'MDM:SERVER_ERROR', 'MDM:TIMEOUT', 'MDM:CONNECTIVITY'],
  example: {
    input: { jobDefinitionId: 'nightly-cities', kind: 'ingress' },
    output: {
      payload: { id: 7141899423138 },
      attributes: { id: '7141899423138', statusCode: 200, requestId: 'req-39' },
    },
  },
});
