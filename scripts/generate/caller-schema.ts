import type { TSchema } from 'typebox';

/** A JSON Schema as we write it. */
export interface Schema {
  type?: string | string[];
  description?: string;
  required?: string[];
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
  propertyNames?: Schema;
  items?: Schema;
  oneOf?: Schema[];
  anyOf?: Schema[];
  allOf?: Schema[];
  pattern?: string;
  'x-message'?: string;
  'x-alternatives'?: string[][];
  [keyword: string]: unknown;
}

/** What engines other than JavaScript's with its u flag do not read alike: properties of characters, and look-around. */
const SPECIAL_SYNTAX = /\\[pPuxk]|(?<!\\)\(\?/;

/**
 * A contract's schema as callers and generators see it: what has a default need not be given, alternatives are a `oneOf`
 * of objects, and what only our validator understands (rules, patterns with special syntax) is said in the description.
 */
export function callerSchema(schema: TSchema | Schema): Schema {
  const { 'x-alternatives': groups, 'x-message': _message, ...node } = schema as Schema;
  return groups ? alternatives(portable(node), groups) : portable(node, (schema as Schema)['x-message']);
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
    ...rest
  } = node;
  const rules = allOf?.flatMap((part) => part['x-message'] ?? []) ?? [];
  const isSpecial = pattern !== undefined && SPECIAL_SYNTAX.test(pattern);
  const required = node.required?.filter((name) => !('default' in (properties?.[name] ?? {})));
  delete rest.required;
  return {
    ...rest,
    ...describe(node.description, [...rules, ...(isSpecial && message ? [message] : [])]),
    ...(pattern !== undefined && !isSpecial && { pattern }),
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, callerSchema(value)])),
    }),
    ...(required?.length && { required }),
    ...(items && { items: callerSchema(items) }),
    ...(additionalProperties !== undefined && {
      additionalProperties:
        typeof additionalProperties === 'object' ? callerSchema(additionalProperties) : additionalProperties,
    }),
    ...(rest.anyOf && { anyOf: rest.anyOf.map(callerSchema) }),
  };
}

/** An object for each group: with its names, which are required, and without those of the others. */
function alternatives({ properties = {}, required = [], description, ...rest }: Schema, groups: string[][]): Schema {
  const oneOf = groups.map((group) => {
    const others = groups.flat().filter((name) => !group.includes(name));
    const kept = Object.entries(properties).filter(([name]) => !others.includes(name));
    return {
      ...rest,
      properties: Object.fromEntries(kept),
      required: [...required, ...group],
    };
  });
  return { ...(description && { description }), oneOf };
}

/** Sentences of the rules after the description: `must be …` becomes `Must be ….` */
function describe(description: string | undefined, messages: readonly string[]): { description?: string } {
  const sentences = [...new Set(messages)].map((text) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`);
  const all = [description, ...sentences].filter(Boolean).join(' ');
  return all === '' ? {} : { description: all };
}
