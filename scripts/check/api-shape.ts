import type { Schema } from '../generate/caller-schema.ts';

/* A schema of an OpenAPI document as one object, whether it has rules or a oneOf of objects. */

export interface Content {
  content?: Record<string, { schema?: Schema }>;
}

export interface Response extends Content {
  $ref?: string;
}

export interface Post {
  requestBody?: Content;
  responses?: Record<string, Response>;
}

export interface Api {
  paths: Record<string, { post?: Post }>;
  components?: { schemas?: Record<string, Schema>; responses?: Record<string, Content> };
}

/** Properties of any alternative, and properties that all require. */
export interface Shape {
  types: Set<string>;
  values?: Set<unknown>;
  properties: Map<string, Schema>;
  required: Set<string>;
  /** Lengths, ranges and patterns, by keyword. */
  bounds: Map<string, unknown>;
  items?: Schema;
  /** The schema of unnamed properties. */
  others?: Schema;
}

/** Keywords that limit a value, and their types. */
export const BOUNDS: Readonly<Record<string, readonly string[]>> = {
  ...keywords(['string'], 'minLength', 'maxLength', 'pattern'),
  ...keywords(['integer', 'number'], 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'),
  ...keywords(['array'], 'minItems', 'maxItems', 'uniqueItems'),
  ...keywords(['object'], 'minProperties', 'maxProperties'),
};

function keywords(types: readonly string[], ...names: string[]) {
  return Object.fromEntries(names.map((name) => [name, types]));
}

/** The shape of a schema; without a schema, one that accepts everything. */
export function readShape(api: Api, schema: Schema = {}): Shape {
  const name = schema.$ref?.split('/').at(-1);
  if (name !== undefined) return readShape(api, api.components?.schemas?.[name]);
  const shape = shapeOf(schema);
  const narrowed = (schema.allOf ?? []).map((part) => readShape(api, part)).reduce(bothOf, shape);
  const alternatives = (schema.oneOf ?? schema.anyOf ?? []).map((one) => readShape(api, one));
  return alternatives.length === 0 ? narrowed : bothOf(narrowed, alternatives.reduce(eitherOf));
}

function shapeOf(schema: Schema): Shape {
  const { type, properties = {}, required = [], items, additionalProperties } = schema;
  const accepted = Object.entries(properties).filter(([, property]) => !isNotGiven(property));
  const values = schema.const === undefined ? schema.enum : [schema.const];
  return {
    types: new Set(type ? [type].flat() : []),
    ...(values && { values: new Set(values) }),
    properties: new Map(accepted),
    required: new Set(required),
    bounds: boundsOf(schema),
    ...(items && { items }),
    ...(typeof additionalProperties === 'object' && { others: additionalProperties }),
  };
}

function boundsOf(schema: Schema): Map<string, unknown> {
  const names = Object.keys(BOUNDS).filter((keyword) => keyword in schema);
  const bounds = new Map(names.map((keyword) => [keyword, schema[keyword]]));
  const isImplied = Number(bounds.get('minProperties')) <= (schema.required?.length ?? 0);
  if (isImplied) bounds.delete('minProperties');
  return bounds;
}

/** Whether a property belongs to another alternative. */
const isNotGiven = ({ $ref, not }: Schema) =>
  $ref === '#/components/schemas/NotGiven' || (not !== undefined && Object.keys(not).length === 0);

/** A value of either: the properties of both, those that both require, and the limits that both have. */
function eitherOf(a: Shape, b: Shape): Shape {
  const [items, others] = [either(a.items, b.items), either(a.others, b.others)];
  const names = new Set([...a.properties.keys(), ...b.properties.keys()]);
  return {
    types: new Set([...a.types, ...b.types]),
    ...(a.values && b.values && { values: new Set([...a.values, ...b.values]) }),
    properties: new Map([...names].map((name) => [name, either(a.properties.get(name), b.properties.get(name))!])),
    required: new Set([...a.required].filter((name) => b.required.has(name))),
    bounds: new Map([...a.bounds].filter(([keyword, bound]) => b.bounds.get(keyword) === bound)),
    ...(items && { items }),
    ...(others && { others }),
  };
}

const either = (a?: Schema, b?: Schema): Schema | undefined => (a && b ? { anyOf: [a, b] } : (a ?? b));

/** A value of both. */
function bothOf(a: Shape, b: Shape): Shape {
  const [items, others] = [b.items ?? a.items, b.others ?? a.others];
  const values = b.values ?? a.values;
  return {
    types: new Set([...a.types, ...b.types]),
    ...(values && { values }),
    properties: new Map([...a.properties, ...b.properties]),
    required: new Set([...a.required, ...b.required]),
    bounds: new Map([...a.bounds, ...b.bounds]),
    ...(items && { items }),
    ...(others && { others }),
  };
}
