import { compile, type JSONSchema } from 'json-schema-to-typescript';
import type { Operation } from '../../lib/contract/operation.ts';
import { callerSchema } from './caller-schema.ts';
import { GENERATED, type GeneratedFile } from './generated-file.ts';

/** The types of the client for other Lambdas: input and output by operation. */
export async function clientTypesFile(registry: readonly Operation[]): Promise<GeneratedFile> {
  const operations = registry.map(({ name, summary, input, output }): [string, JSONSchema] => [
    name,
    closed({ description: summary, properties: { input: withoutRules(callerSchema(input)), output } }),
  ]);
  const schema = closed({
    description: 'Input and output of every operation, by its name.',
    properties: Object.fromEntries(operations),
  });
  const contents = await compile(schema, 'Operations', {
    bannerComment: `// ${GENERATED}`,
    additionalProperties: true,
    format: false,
    maxItems: -1,
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

/** A rule narrows what a type cannot express; left in, it would let unknown names into the type. */
function withoutRules<T>(node: T): T {
  if (Array.isArray(node)) return node.map(withoutRules) as T;
  if (node === null || typeof node !== 'object') return node;
  const { allOf: _, ...shape } = node as { allOf?: unknown };
  return Object.fromEntries(Object.entries(shape).map(([name, value]) => [name, withoutRules(value)])) as T;
}
