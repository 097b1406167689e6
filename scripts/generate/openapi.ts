import { readFileSync } from 'node:fs';
import { ERROR_TYPES } from '../../lib/core/errors.ts';
import type { Operation } from '../../lib/contract/operation.ts';
import { callerSchema } from './caller-schema.ts';
import { GENERATED, type GeneratedFile } from './generated-file.ts';

type Json = Record<string, unknown>;

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

/** The OpenAPI 3.1 document of the HTTP API. */
export function openapiFile(registry: readonly Operation[]): GeneratedFile {
  const routed = registry.filter(({ deploy }) => deploy.http);
  const document = {
    'x-generated': GENERATED,
    openapi: '3.1.0',
    info: {
      title: 'mdm-stream-functions',
      version,
      description: 'Master data (MDM) operations and Redis Streams commands over HTTP.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    tags: [
      { name: 'mdm', description: 'Operations on the master data API' },
      { name: 'stream', description: 'Commands on Redis Streams' },
    ],
    paths: Object.fromEntries(routed.map((operation) => [operation.route, { post: describe(operation) }])),
    components: { schemas: { Problem: problemSchema } },
  };
  return { path: 'docs/openapi.json', contents: JSON.stringify(document) };
}

function describe(operation: Operation): Json {
  const { name, connector, summary, description, input, example } = operation;
  return {
    operationId: name,
    tags: [connector],
    summary,
    description,
    requestBody: {
      required: true,
      content: { 'application/json': { schema: callerSchema(input), example: example.input } },
    },
    responses: { ...success(operation), ...failures(operation) },
  };
}

function success({ output, example, textOutput }: Operation): Json {
  const json = { 'application/json': { schema: output, example: example.output } };
  const text = { 'text/plain': { schema: { type: 'string' }, example: example.output } };
  const schema = output as { type?: string; anyOf?: { type?: string }[] };
  const isVoid = schema.type === 'null' || schema.type === 'void';
  const isNullable = isVoid || schema.anyOf?.some(({ type }) => type === 'null');
  return {
    ...(isVoid ? {} : { 200: { description: 'The output', content: textOutput ? { ...text, ...json } : json } }),
    ...(isNullable ? { 204: { description: 'Done; there is no output' } } : {}),
  };
}

function failures({ errors }: Operation): Json {
  const types = [...new Set([...errors, 'CONNECTOR:CONFIGURATION', 'CONNECTOR:INTERNAL'])];
  const problem = (description: string) => ({
    description,
    content: {
      'application/problem+json': {
        schema: { allOf: [{ $ref: '#/components/schemas/Problem' }, { properties: { type: { enum: types } } }] },
      },
    },
  });
  return {
    400: problem('The input does not fit; every fault is named'),
    '4XX': problem('The call was refused'),
    '5XX': problem('The API, Redis or the configuration failed'),
  };
}

const problemSchema = {
  type: 'object',
  required: ['type', 'title', 'status', 'detail', 'requestId'],
  properties: {
    type: { type: 'string', enum: Object.keys(ERROR_TYPES) },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string', description: 'What went wrong, for a person.' },
    requestId: { type: 'string', description: 'Finds the call in the log.' },
    retryable: { type: 'boolean', description: 'Whether the same call may succeed later.' },
    upstreamStatus: { type: 'integer', description: 'HTTP status that the master data API answered.' },
    upstreamCode: { type: 'string', description: "The API's error code, or the first word of Redis' error." },
    upstreamRequestId: { type: 'string', description: 'Request id of the master data API, for its support.' },
    errors: {
      type: 'array',
      description: 'Every fault of the input.',
      items: {
        type: 'object',
        required: ['pointer', 'message'],
        properties: {
          pointer: { type: 'string', description: 'JSON Pointer into the input.' },
          message: { type: 'string' },
        },
      },
    },
  },
};
