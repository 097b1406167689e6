import { isDeepStrictEqual } from 'node:util';
import { compile, type JSONSchema } from 'json-schema-to-typescript';
import type { Operation } from '../../lib/contract/operation.ts';
import { callerSchema, NOT_GIVEN } from './caller-schema.ts';
import { GENERATED, type GeneratedFile } from './generated-file.ts';

/** The types of the client for other Lambdas: input and output by operation. */
export async function clientTypesFile(registry: readonly Operation[]): Promise<GeneratedFile> {
  const operations = registry.map(({ name, summary, input, output }): [string, JSONSchema] => [
    name,
    closed({
      description: summary,
      properties: { input: withNever(callerSchema(input)), output: callerSchema(output) },
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

/** What cannot be given is `never` for the compiler. */
function withNever(node: unknown): unknown {
  if (isDeepStrictEqual(node, NOT_GIVEN)) return { tsType: 'never' };
  if (Array.isArray(node)) return node.map(withNever);
  if (typeof node !== 'object' || node === null) return node;
  return Object.fromEntries(Object.entries(node).map(([name, value]) => [name, withNever(value)]));
}
