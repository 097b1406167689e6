import Type from 'typebox';
import { ObjectInternalId } from '#lib/contract/parameters/mdm.ts';
import { creationOutput } from '#lib/contract/parameters/source.ts';
import { fromNobody, fromVendor } from '#lib/contract/known-from.ts';
import { defineOperation } from '#lib/contract/operation.ts';

export const jobStart = defineOperation({
  name: 'mdm-job-start',
  group: 'records',
  summary: 'Start an ingress, egress or match and merge job',
  description:
    'Jobs work on many records at a time. The call is never retried, because a second one would start another job.',
  input: Type.Object({
    jobDefinitionId: { ...ObjectInternalId, description: 'Id of the job definition, as text.' },
    kind: Type.Enum(['ingress', 'egress', 'match-and-merge'], {
      description: '`ingress` imports records; `egress` exports them; `match-and-merge` finds and merges duplicates.',
    }),
  }),
  output: creationOutput('Id of the job as text, exact even beyond 2^53; absent if the API does not name it.'),
  errors: ['MDM:CLIENT_ERROR', 'MDM:SERVER_ERROR', 'MDM:TIMEOUT', 'MDM:CONNECTIVITY'],
  idempotent: false,
  knownFrom: {
    path: fromVendor(
      'Job instance API',
      'The path and the body of ingress and egress jobs, and the id in the response.',
    ),
    kinds: fromVendor('Job instance API', 'Match and merge jobs exist.'),
    matchAndMerge: fromNobody(
      'The last segment of their path, `MatchAndMerge`. If your tenant shows another, call it with `http-request`.',
    ),
    withoutBody: fromNobody('An answer without a body: the job has started.'),
  },
  example: {
    input: { jobDefinitionId: 'nightly-cities', kind: 'ingress' },
    output: {
      payload: { id: 7141899423138 },
      attributes: { id: '7141899423138', statusCode: 200, requestId: 'req-39' },
    },
  },
});
