import type { TSchema } from 'typebox';
import { namesMissing, type Form } from '#lib/contract/alternatives.ts';
import { ENTRY_ID_FORMAT } from '#lib/contract/entry-id-format.ts';

/** A JSON Schema, as contracts and the OpenAPI document use it. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  description?: string;
  required?: string[];
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
  propertyNames?: Schema;
  items?: Schema;
  oneOf?: Schema[];
  anyOf?: Schema[];
  allOf?: Schema[];
  not?: Schema;
  pattern?: string;
  'x-message'?: string;
  'x-names'?: string;
  'x-alternatives'?: readonly (readonly Form[])[];
  [keyword: string]: unknown;
}

/**
 * Syntax that engines other than JavaScript's with its u flag read differently: character properties, and look-around.
 */
const SPECIAL_SYNTAX = /\\[pPuk]|(?<!\\)\(\?/;

/** Character properties in a form that every engine reads: JSON in UTF-8 holds no surrogates anyway. */
const withoutProperties = (pattern: string) =>
  pattern.replaceAll('\\p{Cc}', '\\x00-\\x1F\\x7F-\\x9F').replaceAll('\\p{Cs}', '');

/** A property that must not be given: in a `oneOf`, one that belongs to another form. */
export const NOT_GIVEN: Schema = { not: {} };

/**
 * A contract's schema for callers and generators: properties with a default are optional, alternatives are a `oneOf` of
 * objects, and the description states what only the project's validator checks (rules, patterns with special syntax).
 */
export function callerSchema(schema: TSchema | Schema): Schema {
  const { 'x-alternatives': choices, 'x-message': message, 'x-names': _names, ...node } = schema as Schema;
  return choices ? alternatives(node, choices) : portable(node, message);
}

function portable(node: Schema, message?: string): Schema {
  const {
    allOf,
    propertyNames: _names,
    if: _if,
    then: _then,
    else: _else,
    pattern,
    properties,
    items,
    additionalProperties,
    format,
    ...rest
  } = node;
  const rules = allOf?.flatMap((part) => part['x-message'] ?? []) ?? [];
  const isSpecial = pattern !== undefined && SPECIAL_SYNTAX.test(pattern);
  const portablePattern = pattern && withoutProperties(pattern);
  const required = node.required?.filter((name) => !('default' in (properties?.[name] ?? {})));
  delete rest.required;
  return {
    ...rest,
    ...booleanOf(rest),
    ...(format !== undefined && format !== ENTRY_ID_FORMAT && { format }),
    ...describe(node.description, [...rules, ...(isSpecial && message ? [message] : [])]),
    ...(portablePattern && !SPECIAL_SYNTAX.test(portablePattern) && { pattern: portablePattern }),
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, callerSchema(value)])),
    }),
    ...(required?.length && { required }),
    ...innerSchemas({ items, additionalProperties, anyOf: rest.anyOf }),
    ...dependent(allOf, 'dependentRequired'),
    ...dependent(allOf, 'dependentSchemas'),
  };
}

/** The schemas of items, further properties and alternatives, each for callers. */
function innerSchemas({ items, additionalProperties, anyOf }: Schema): Schema {
  const schemaOrFlag = (value: Schema | boolean) => (typeof value === 'object' ? callerSchema(value) : value);
  return {
    ...(items && { items: callerSchema(items) }),
    ...(additionalProperties !== undefined && { additionalProperties: schemaOrFlag(additionalProperties) }),
    ...(anyOf && { anyOf: anyOf.map((one) => callerSchema(one)) }),
  };
}

/** One boolean alone, in words that generators take: they make no types of its enum or constant. */
function booleanOf({ enum: values }: Schema): Schema {
  const [only] = values ?? [];
  return values?.length === 1 && typeof only === 'boolean'
    ? { type: 'boolean', enum: undefined, not: { const: !only } }
    : {};
}

/** What goes together, by rules whose keyword every validator knows and every generator may skip. */
function dependent(rules: Schema[] = [], keyword: 'dependentRequired' | 'dependentSchemas'): Schema {
  const all = rules.flatMap((part) => Object.entries((part[keyword] ?? {}) as Record<string, Schema | string[]>));
  const kept = all.map(([name, one]) => [name, Array.isArray(one) ? one : callerSchema(one)] as const);
  return kept.length === 0 ? {} : { [keyword]: Object.fromEntries(kept) };
}

/** An object for each combination of forms: with their requirements, without properties of other forms only. */
function alternatives(node: Schema, choices: readonly (readonly Form[])[]): Schema {
  const { description, properties = {}, required = [], allOf: _rules, ...rest } = node;
  const oneOf = combinations(choices).map((forms): Schema => {
    const narrowed = forms.flatMap((form) => Object.entries(form.narrowed ?? {}));
    const missing = forms.flatMap((form, at) => namesMissing(choices[at]!, form));
    const needed = [...new Set([...required, ...forms.flatMap((form) => form.required ?? [])])];
    return portable({
      ...rest,
      title: forms.map(({ name }) => name).join(''),
      minProperties: 1, // Redocly compares forms by a few keywords, and would call these equal
      properties: {
        ...properties,
        ...Object.fromEntries(narrowed.map(([name, schema]) => [name, describedAs(properties[name], schema)])),
        ...Object.fromEntries(missing.map((name) => [name, NOT_GIVEN])),
      },
      required: needed,
    });
  });
  return { ...portable({ description, allOf: node.allOf }), oneOf };
}

const combinations = (choices: readonly (readonly Form[])[]) =>
  choices.reduce<Form[][]>((begun, forms) => begun.flatMap((some) => forms.map((form) => [...some, form])), [[]]);

export const describedAs = ({ description }: Schema = {}, schema: object): Schema => ({
  ...(description !== undefined && { description }),
  ...schema,
});

/** Sentences of the rules, after the description: `must be …` becomes `Must be ….` */
function describe(description: string | undefined, messages: readonly string[]): { description?: string } {
  const sentences = [...new Set(messages)].map((text) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`);
  const all = [description, ...sentences].filter(Boolean).join(' ');
  return all === '' ? {} : { description: all };
}
