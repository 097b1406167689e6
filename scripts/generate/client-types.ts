import { compile, type JSONSchema } from 'json-schema-to-typescript';
import type { Operation } from '../../lib/contract/operation.ts';
import { callerSchema, type Schema } from './caller-schema.ts';
import { GENERATED, type GeneratedFile } from './generated-file.ts';

/** The types of the client for other Lambdas: input and output by operation. */
export async function clientTypesFile(registry: readonly Operation[]): Promise<GeneratedFile> {
  const operations = registry.map(({ name, summary, input, output }): [string, JSONSchema] => [
    name,
    closed({
      description: summary,
      properties: { input: exclusive(callerSchema(input)), output: callerSchema(output) },
    }),
  ]);
  const schema = closed({
    description: 'Input and output of every operation, by its name.',
    properties: Object.fromEntries(operations),
  });
  const contents = await compile(schema, 'Operations', {
    bannerComment: `// ${GENERATED}`,
    additionalProperties: true,
    format: false,
    ignoreMinAndMaxItems: true,
  });
  return { path: 'lib/client/operations.generated.ts', contents };
}

function closed(schema: { description: string; properties: Record<string, unknown> }): JSONSchema {
  return {
    type: 'object',
    additionalProperties: false,
    required: Object.keys(schema.properties),
    ...schema,
  } as JSONSchema;
}

/** Alternatives that exclude each other for the compiler too: what another one has is `never` here. */
function exclusive(node: Schema): Schema {
  const inside = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inside);
    return typeof value === 'object' && value !== null ? exclusive(value as Schema) : value;
  };
  const { oneOf, ...rest } = Object.fromEntries(
    Object.entries(node).map(([name, value]) => [name, inside(value)]),
  ) as Schema;
  if (!oneOf) return rest;
  const names = oneOf.flatMap(({ properties = {} }) => Object.keys(properties));
  const never = Object.fromEntries(names.map((name) => [name, { tsType: 'never' }]));
  return { ...rest, oneOf: oneOf.map((one) => ({ ...one, properties: { ...never, ...one.properties } })) };
}
