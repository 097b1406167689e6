import { byGroup, GROUP_NAMES, GROUPS, type OperationGroup } from '#lib/contract/groups.ts';
import type { Operation } from '#lib/contract/operation.ts';
import { callerSchema, type Schema } from '../caller-schema.ts';
import { GENERATED, type GeneratedFile } from '../generated-file.ts';
import { externalDocsOf, knownFromOf } from '../known-from.ts';
import { COMMON_HEADERS, namedResponses, responsesOf, type NamedResponses } from './responses.ts';
import { Schemas } from './schemas.ts';
import { version } from './version.ts';

type Json = Record<string, unknown>;

/** The OpenAPI 3.1 document of the HTTP API. */
export function openapiFile(registry: readonly Operation[]): GeneratedFile {
  const routed = byGroup(registry).filter(({ deploy }) => deploy.http);
  const schemas = new Schemas();
  const responses = namedResponses();
  const paths = Object.fromEntries(
    routed.map((operation) => [operation.route, { post: describe(operation, schemas, responses) }]),
  );
  const document = {
    'x-generated': GENERATED,
    openapi: '3.1.0',
    info: {
      title: 'mdm-stream-functions',
      version,
      description: 'Master data (MDM) operations and Redis Streams commands over HTTP.',
      license: { name: 'MIT', identifier: 'MIT' },
      contact: { name: 'The operator of this deployment' },
    },
    servers: [{ url: '/', description: 'The origin of this document' }],
    security: [{ iam: [] }, { jwt: [] }],
    tags: GROUP_NAMES.map((group) => ({ name: group, description: describeGroup(group, registry) })),
    paths,
    components: {
      schemas: Object.fromEntries(Object.entries(schemas.named).sort(([a], [b]) => (a < b ? -1 : 1))),
      responses,
      headers: COMMON_HEADERS,
      securitySchemes: {
        iam: {
          type: 'apiKey',
          in: 'header',
          name: 'Authorization',
          description:
            'With the authorizer `iam` (the default): AWS Signature Version 4 for the service `execute-api`.',
        },
        jwt: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'With the authorizer `jwt`.' },
      },
    },
  };
  return { path: 'docs/openapi.json', contents: JSON.stringify(document) };
}

function describe(operation: Operation, schemas: Schemas, named: NamedResponses): Json {
  const { name, group, summary, description = `${summary}.`, example, readOnly, idempotent } = operation;
  const input = callerSchema(operation.input);
  const type = typeName(name);
  const externalDocs = externalDocsOf(operation);
  const { schema, isNullable } = withoutNull(callerSchema(operation.output));
  return {
    operationId: name,
    tags: [group],
    summary,
    description,
    ...(externalDocs && { externalDocs }),
    'x-known-from': knownFromOf(operation),
    'x-read-only': readOnly,
    'x-idempotent': idempotent,
    requestBody: {
      required: input.oneOf !== undefined || input.required !== undefined,
      content: { 'application/json': { schema: schemas.name(`${type}Input`, input), example: example.input } },
    },
    responses: responsesOf(operation, named, { output: schema && schemas.name(`${type}Output`, schema), isNullable }),
  };
}

/** The description of a group, with its operations that have no route. */
function describeGroup(group: OperationGroup, registry: readonly Operation[]): string {
  const unrouted = registry.filter((operation) => operation.group === group && !operation.deploy.http);
  const sentences = unrouted.map(
    ({ name, summary }) => `\`${name}\` (${summary}) has no route: run it on a schedule, or invoke its function.`,
  );
  return [GROUPS[group], ...sentences].join(' ');
}

/** `mdm-master-read` as a type's name: `MdmMasterRead`. */
export const typeName = (name: string) =>
  name.replaceAll(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** An output without the null that becomes a 204; no schema if there is nothing else. */
function withoutNull(output: Schema): { schema?: Schema; isNullable: boolean } {
  if (output.type === 'null' || output.type === 'void') return { isNullable: true };
  const { anyOf, ...rest } = output;
  const others = anyOf?.filter(({ type }) => type !== 'null') ?? [];
  if (!anyOf || others.length === anyOf.length) return { schema: output, isNullable: false };
  return { schema: others.length === 1 ? { ...others[0], ...rest } : { ...rest, anyOf: others }, isNullable: true };
}
