import Type from 'typebox';
import { JobOutput, ObjectInternalId } from '#lib/contract/parameters/mdm.ts';
import { fromClients, fromVendor } from '#lib/contract/known-from.ts';
import { defineOperation } from '#lib/contract/operation.ts';

export const jobRead = defineOperation({
  name: 'mdm-job-read',
  group: 'records',
  summary: 'Read the state of a job',
  input: Type.Object({
    id: { ...ObjectInternalId, description: 'Id of the job, as text because it may exceed 2^53.' },
  }),
  output: JobOutput,
  readOnly: true,
  errors: ['MDM:CLIENT_ERROR', 'MDM:SERVER_ERROR', 'MDM:TIMEOUT', 'MDM:CONNECTIVITY'],
  knownFrom: {
    readable: fromVendor('Job instance API', 'Job instances can be read, as a summary or in detail.'),
    path: fromClients('The path.'),
  },
  example: {
    input: { id: '7141899423138' },
    output: {
      payload: { id: 7141899423138, jobDefinitionId: 'nightly-cities', status: 'RUNNING' },
      attributes: { id: '7141899423138', statusCode: 200, requestId: 'req-40' },
    },
  },
});
