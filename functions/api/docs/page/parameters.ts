import type { Document, Schema } from './document.ts';

export interface Parameter {
  /** Full name, with those of enclosing objects: `evictionOption.maxLength`. */
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly description: string;
  readonly default?: unknown;
}

/** A property in each alternative. */
interface Found {
  readonly schemas: Schema[];
  requiredIn: number;
}

const MAX_DEPTH = 4;
/** The schema of a property that belongs to another alternative. */
const NOT_GIVEN = '#/components/schemas/NotGiven';

/** A schema, with its reference resolved. */
export function resolve(document: Document, schema: Schema = {}): Schema {
  const name = /^#\/components\/schemas\/(.+)$/.exec(schema.$ref ?? '')?.[1];
  if (name === undefined) return schema;
  const { $ref: _, ...beside } = schema;
  return { ...resolve(document, document.components?.schemas?.[name]), ...beside };
}

/** Parameters of an object with all its alternatives. A parameter is required only if every alternative requires it. */
export function parametersOf(document: Document, schema: Schema, prefix = '', depth = 0): Parameter[] {
  const variants = variantsOf(document, schema);
  const found = new Map<string, Found>();
  for (const variant of variants) {
    for (const [name, property] of Object.entries(variant.properties ?? {})) {
      if (property.$ref === NOT_GIVEN) continue;
      const { schemas, requiredIn } = found.get(name) ?? { schemas: [], requiredIn: 0 };
      const isRequired = variant.required?.includes(name) ?? false;
      found.set(name, {
        schemas: [...schemas, resolve(document, property)],
        requiredIn: requiredIn + Number(isRequired),
      });
    }
  }
  return [...found].flatMap(([name, { schemas, requiredIn }]) => {
    const [first = {}] = schemas;
    const inner = first.items ? resolve(document, first.items) : first;
    const path = `${prefix}${name}${first.items ? '[]' : ''}`;
    const withDefault = schemas.find((one) => 'default' in one);
    const parameter: Parameter = {
      name: `${prefix}${name}`,
      type: union(schemas.map((one) => typeOf(document, one))),
      required: requiredIn === variants.length,
      description: first.description ?? '',
      ...(withDefault && { default: withDefault.default }),
    };
    return depth >= MAX_DEPTH ? [parameter] : [parameter, ...parametersOf(document, inner, `${path}.`, depth + 1)];
  });
}

/** The alternatives of an object, each with the shared parts. */
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
  if (schema.items && schema.type === 'array') return `${typeOf(document, resolve(document, schema.items))}[]`;
  if (schema.type) return [schema.type].flat().join(' | ');
  const alternatives = (schema.oneOf ?? schema.anyOf ?? []).map((one) => typeOf(document, resolve(document, one)));
  return union(alternatives) || 'object';
}

/** The types, without duplicates and without those that a wider type includes. */
function union(types: readonly string[]): string {
  const all = new Set(types.flatMap((type) => type.split(' | ')));
  if (all.has('boolean')) for (const value of ['true', 'false']) all.delete(value);
  return [...all].join(' | ');
}
