import Type from 'typebox';
import { ObjectInternalId, RecordFields, responseOf } from '../../../lib/contract/parameters/mdm.ts';
import { defineOperation } from '../../../lib/contract/operation.ts';

/** Read the state of a job. */
export const jobRead = defineOperation({
  name: 'mdm-job-read',
  group: 'records',
  summary: 'Read the state of a job',
  input: Type.Object({ id: { ...ObjectInternalId, description: 'Id of the job, as text: it may exceed 2^53.' } }),
  output: responseOf(RecordFields('The job, as the API returns it.'), {
    id: Type.Optional(Type.String({ description: 'Id of the job as text, exact where it exceeds 2^53.' })),
  }),
  readOnly: true,
  errors: ['MDM:CLIENT_ERROR', 'MDM:SERVER_ERROR', 'MDM:TIMEOUT', 'MDM:CONNECTIVITY'],
  example: {
    input: { id: '7141899423138' },
    output: {
      payload: { id: 7141899423138, jobDefinitionId: 'nightly-cities', status: 'RUNNING' },
      attributes: { id: '7141899423138', statusCode: 200, requestId: 'req-40' },
    },
  },
});
