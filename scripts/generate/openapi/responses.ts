import type { Operation } from '#lib/contract/operation.ts';
import { isIdempotent } from '#lib/core/idempotence.ts';
import type { Problem } from '#lib/core/problem.ts';
import type { Schema } from '../caller-schema.ts';
import { problemsOf } from './problems.ts';

type Json = Record<string, unknown>;

const DESCRIPTIONS: Record<string, string> = {
  400: 'The input is invalid; the error names every fault',
  403: 'The caller or the configuration may not use this operation, or the MDM user lacks the right',
  404: 'The record, stream or group does not exist',
  409: 'The call conflicts with the current state',
  413: 'The response would exceed 6 MB',
  422: 'Redis or the master data API refused the command or the record',
  429: 'Too many requests',
  500: 'The configuration is invalid, or the connector failed',
  502: 'The upstream failed, or refused the credentials of the configuration',
  503: 'The upstream is out of reach, or out of service; `outcome` says whether a write may have been carried out',
  504: 'The upstream did not respond in time; `outcome` says whether a write may have been carried out',
};

/** Statuses of API Gateway itself. */
const GATEWAY: Record<string, string> = { 403: 'Forbidden', 429: 'Too Many Requests' };
const WITH_RETRY_AFTER = ['429', '503'];
const gatewayError = (message: string) => ({
  'application/json': { schema: { $ref: '#/components/schemas/GatewayError' }, example: { message } },
});

/** Responses that operations refer to. Most responses of one connector with one status are equal, and join these. */
const COMMON_RESPONSES = {
  Unauthorized: { description: 'The caller is not signed in', content: gatewayError('Unauthorized') },
  OtherProblem: {
    description: 'Any other status that the master data API returned',
    content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
  },
};
export const COMMON_HEADERS = {
  RetryAfter: { description: 'Seconds to wait before the same call.', schema: { type: 'integer', minimum: 0 } },
};

export type NamedResponses = Record<string, Json>;
export const namedResponses = (): NamedResponses => ({ ...COMMON_RESPONSES });

/** Responses of an operation by status. `output` is the schema of its output, if it has one. */
export function responsesOf(
  operation: Operation,
  named: NamedResponses,
  { output, isNullable }: { output?: Schema; isNullable: boolean },
): Json {
  const { example, textOutput, connector } = operation;
  const json = { 'application/json': { schema: output, example: example.output } };
  const text = { 'text/plain': { schema: { type: 'string' }, example: example.output } };
  const description = textOutput ? 'The output, as text, or as JSON if `Accept` asks for it' : 'The output';
  return {
    ...(output && { 200: { description, content: textOutput ? { ...json, ...text } : json } }),
    ...(isNullable && { 204: { description: 'The call succeeded and has no output' } }),
    401: { $ref: '#/components/responses/Unauthorized' },
    ...share(operation, failures(problemsOf(operation)), named),
    ...(connector === 'mdm' && { default: { $ref: '#/components/responses/OtherProblem' } }),
  };
}

/** After these, the outcome is unknown, and only an idempotent call is retryable. */
const DEPENDS_ON_OUTCOME = new Set(['502', '503', '504']);

/** Replaces responses by references to equal named ones; a response without a namesake becomes one. */
function share({ connector, idempotent, example }: Operation, responses: Json, named: NamedResponses): Json {
  const kind = isIdempotent(idempotent, example.input) ? '' : 'Unrepeatable';
  const entries = Object.entries(responses).map(([status, response]) => {
    const name = `${connector === 'mdm' ? 'Mdm' : 'Stream'}${DEPENDS_ON_OUTCOME.has(status) ? kind : ''}${status}`;
    if (['400', '413'].includes(status)) return [status, response]; // their examples differ by operation
    named[name] ??= response as Json;
    const isSame = JSON.stringify(named[name]) === JSON.stringify(response);
    return [status, isSame ? { $ref: `#/components/responses/${name}` } : response];
  });
  return Object.fromEntries(entries) as Json;
}

function failures(problems: readonly Problem[]): Json {
  const byStatus = Object.groupBy(problems, ({ status }) => String(status)) as Record<string, Problem[]>;
  const statuses = [...new Set([...Object.keys(byStatus), ...Object.keys(GATEWAY)])].sort();
  return Object.fromEntries(statuses.map((status) => [status, failure(status, byStatus[status] ?? [])]));
}

function failure(status: string, problems: readonly Problem[]): Json {
  const examples = Object.fromEntries(problems.map((problem) => [problem.type.replace(':', '-'), { value: problem }]));
  const narrowed = {
    type: 'object',
    properties: {
      type: { type: 'string', enum: [...new Set(problems.map(({ type }) => type))] },
      status: { type: 'integer', enum: [Number(status)] },
    },
  };
  const problem = {
    'application/problem+json': { schema: { allOf: [{ $ref: '#/components/schemas/Problem' }, narrowed] }, examples },
  };
  return {
    description: DESCRIPTIONS[status] ?? 'The call failed',
    ...(WITH_RETRY_AFTER.includes(status) && {
      headers: { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } },
    }),
    content: {
      ...(problems.length > 0 && problem),
      ...(GATEWAY[status] && gatewayError(GATEWAY[status])),
    },
  };
}
