/** What this page reads of an OpenAPI 3.1 document. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  title?: string;
  default?: unknown;
  enum?: unknown[];
  const?: unknown;
  format?: string;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  oneOf?: Schema[];
  anyOf?: Schema[];
  allOf?: Schema[];
  minimum?: number;
  maximum?: number;
}

interface Media {
  schema?: Schema;
  example?: unknown;
  examples?: Record<string, { value?: unknown }>;
}

export interface ResponseObject {
  $ref?: string;
  description?: string;
  content?: Record<string, Media>;
}

interface OperationObject {
  operationId: string;
  tags?: string[];
  summary?: string;
  description?: string;
  requestBody?: { content?: Record<string, Media> };
  responses?: Record<string, ResponseObject>;
}

export interface Document {
  info: { title: string; version: string; description?: string };
  tags?: { name: string; description?: string }[];
  paths: Record<string, { post?: OperationObject }>;
  components?: {
    schemas?: Record<string, Schema>;
    responses?: Record<string, ResponseObject>;
    securitySchemes?: Record<string, { type: string; description?: string }>;
  };
}

/** An operation as this page shows it. */
export interface Operation {
  readonly id: string;
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  /** The contract's example, as JSON text. */
  readonly example: string;
  readonly parameters: readonly Parameter[];
  readonly responses: readonly Outcome[];
}

export interface Parameter {
  /** With the names of what it lies in: `evictionOption.maxLength`. */
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly description: string;
  readonly default?: unknown;
}

export interface Outcome {
  readonly status: string;
  readonly description: string;
  /** Media types, each with an example as text where the document has one. */
  readonly media: readonly { type: string; example?: string }[];
}

const MAX_DEPTH = 4;

/** The operations of a document, in its order. */
export function readOperations(document: Document): Operation[] {
  return Object.entries(document.paths).flatMap(([path, { post }]) => {
    if (!post) return [];
    const media = post.requestBody?.content?.['application/json'];
    const schema = resolve(document, media?.schema);
    return [
      {
        id: post.operationId,
        path,
        tag: post.tags?.[0] ?? '',
        summary: post.summary ?? '',
        description: post.description ?? '',
        example: write(exampleOf(media)) ?? '{}',
        parameters: parametersOf(document, schema),
        responses: Object.entries(post.responses ?? {}).map(([status, response]) =>
          outcomeOf(status, resolveResponse(document, response)),
        ),
      },
    ];
  });
}

function resolve(document: Document, schema: Schema = {}): Schema {
  const name = /^#\/components\/schemas\/(.+)$/.exec(schema.$ref ?? '')?.[1];
  if (name === undefined) return schema;
  const { $ref: _, ...beside } = schema;
  return { ...resolve(document, document.components?.schemas?.[name]), ...beside };
}

function resolveResponse(document: Document, response: ResponseObject): ResponseObject {
  const name = /^#\/components\/responses\/(.+)$/.exec(response.$ref ?? '')?.[1];
  return name === undefined ? response : (document.components?.responses?.[name] ?? {});
}

/** Parameters of an object, alternatives side by side: one that not every alternative requires is not required. */
function parametersOf(document: Document, schema: Schema, prefix = '', depth = 0): Parameter[] {
  const variants = variantsOf(document, schema);
  const found = new Map<string, { schema: Schema; requiredIn: number }>();
  for (const variant of variants) {
    for (const [name, property] of Object.entries(variant.properties ?? {})) {
      const known = found.get(name);
      const isRequired = Number(variant.required?.includes(name) ?? false);
      found.set(name, { schema: known?.schema ?? property, requiredIn: (known?.requiredIn ?? 0) + isRequired });
    }
  }
  return [...found].flatMap(([name, { schema: property, requiredIn }]) => {
    const resolved = resolve(document, property);
    const inner = resolved.items ? resolve(document, resolved.items) : resolved;
    const path = `${prefix}${name}${resolved.items ? '[]' : ''}`;
    const parameter: Parameter = {
      name: `${prefix}${name}`,
      type: typeOf(document, resolved),
      required: requiredIn === variants.length,
      description: resolved.description ?? '',
      ...('default' in resolved && { default: resolved.default }),
    };
    return depth >= MAX_DEPTH ? [parameter] : [parameter, ...parametersOf(document, inner, `${path}.`, depth + 1)];
  });
}

/** The alternatives of an object, each with what all of them share. */
function variantsOf(document: Document, schema: Schema): Schema[] {
  const alternatives = (schema.oneOf ?? schema.anyOf ?? []).map((variant) => resolve(document, variant));
  const shared = [schema, ...(schema.allOf ?? []).map((part) => resolve(document, part))];
  const properties = Object.assign({}, ...shared.map((part) => part.properties ?? {})) as Record<string, Schema>;
  const required = shared.flatMap((part) => part.required ?? []);
  const objects = alternatives.filter((variant) => variant.properties ?? variant.required);
  if (objects.length === 0) return [{ properties, required }];
  return objects.map((variant) => ({
    properties: { ...properties, ...variant.properties },
    required: [...required, ...(variant.required ?? [])],
  }));
}

function typeOf(document: Document, schema: Schema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (schema.items) return `${typeOf(document, resolve(document, schema.items))}[]`;
  if (schema.type) return [schema.type].flat().join(' | ');
  const alternatives = (schema.oneOf ?? schema.anyOf ?? []).map((variant) =>
    typeOf(document, resolve(document, variant)),
  );
  return [...new Set(alternatives)].join(' | ') || 'object';
}

function outcomeOf(status: string, { description = '', content = {} }: ResponseObject): Outcome {
  const media = Object.entries(content).map(([type, one]) => ({ type, example: write(exampleOf(one)) }));
  return { status, description, media };
}

function exampleOf(media: Media | undefined): unknown {
  return media?.example ?? Object.values(media?.examples ?? {})[0]?.value;
}

function write(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}
