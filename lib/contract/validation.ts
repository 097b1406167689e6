import type { ErrorObject } from 'ajv';
import type { TSchema } from 'typebox';
import type { Fault } from '../core/errors.ts';
import { compile } from './compile.ts';
import { HALVES_TOO_LARGE } from './entry-id-format.ts';
import { NOT_WELL_FORMED } from './well-formed.ts';

/** Parameters of an Ajv error that the schema does not have. Compiled validators give no others. */
interface Params {
  missingProperty?: string;
  additionalProperty?: string;
  property?: string;
}

const MAX_FAULTS = 100;

/**
 * Checks a value and fills in missing defaults, in place.
 *
 * @returns every fault, without values; beyond the first 100, only their number. Empty for a valid value.
 */
export function validate(schema: TSchema, value: unknown): Fault[] {
  const validator = compile(schema);
  return validator(value) ? [] : explain(schema, validator.errors ?? [], value);
}

function explain(schema: TSchema, errors: readonly ErrorObject[], value: unknown): Fault[] {
  const faults = new Map<string, Fault>();
  for (const error of errors) {
    const fault = faultOf(schema, error, value);
    if (fault) faults.set(`${fault.pointer} ${fault.message}`, fault);
  }
  const all = [...faults.values()];
  return all.length === 0 ? [{ pointer: '', message: 'is not valid' }] : limitFaults(all);
}

/** The first 100 faults, and the number of others. */
export function limitFaults(faults: Fault[]): Fault[] {
  if (faults.length <= MAX_FAULTS) return faults;
  return [
    ...faults.slice(0, MAX_FAULTS),
    { pointer: '', message: `has ${counted(faults.length - MAX_FAULTS, 'more fault')}` },
  ];
}

/** The fault of an error. A schema with its own message reports only that message, once. */
function faultOf(schema: TSchema, error: ErrorObject<string, Params>, value: unknown): Fault | undefined {
  // the path of a schema is a fragment of a URI; that of a value is not encoded
  const path = error.schemaPath.slice(2).split('/').map(decodeURIComponent).map(unescapePointer);
  let [node, parent]: [unknown, unknown?] = [schema];
  for (let depth = 0; depth < path.length; depth++) {
    const message = (node as Record<string, unknown>)['x-message'];
    if (typeof message === 'string') {
      if (message === NOT_WELL_FORMED && error.keyword !== 'pattern')
        return textFault(error, node as { minLength?: number });
      if (depth < path.length - 1) return undefined;
      return { pointer: pointerOf(error), message: error.keyword === 'format' ? HALVES_TOO_LARGE : message };
    }
    parent = node;
    node = (node as Record<string, unknown>)[path[depth]!];
    if (node === null || typeof node !== 'object') break;
  }
  return beyondLimit(error, parent as Limits, value) ?? plainFault(error, node, parent as Around);
}

interface Limits {
  minimum?: number;
  maximum?: number;
}

/** The fault of an integer beyond 2^53: to the validator it is no number, but an object that keeps its digits. */
function beyondLimit({ keyword, instancePath }: ErrorObject, limits: Limits, root: unknown): Fault | undefined {
  if (keyword !== 'type') return undefined;
  const value = valueAt(root, instancePath);
  if (!JSON.isRawJSON(value) || !/^-?\d+$/.test(value.rawJSON)) return undefined;
  const limit = value.rawJSON.startsWith('-') ? ('minimum' as const) : ('maximum' as const);
  if (limits[limit] === undefined) return undefined;
  return { pointer: instancePath, message: MESSAGES[limit]!(limits[limit] as never) };
}

const valueAt = (root: unknown, pointer: string): unknown =>
  pointer
    .split('/')
    .slice(1)
    .reduce((value, name) => (value as Record<string, unknown>)[unescapePointer(name)], root);

/** What of a schema says what is allowed in place of what it refuses. */
interface Around {
  properties?: object;
  /** The forms that a discriminator chooses from. */
  oneOf?: { properties: Record<string, { const: string }> }[];
}

/** The fault of a text whose characters are valid. */
function textFault(error: ErrorObject<string, Params>, { minLength }: { minLength?: number }): Fault {
  const message = error.keyword === 'type' ? 'must be a string' : MESSAGES.minLength!((minLength ?? 1) as never);
  return { pointer: pointerOf(error), message };
}

function plainFault(
  { keyword, instancePath, params }: ErrorObject<string, Params>,
  value: unknown,
  { properties = {}, oneOf = [] }: Around = {},
): Fault | undefined {
  const at = (name: string) => `${instancePath}/${escapePointer(name)}`;
  switch (keyword) {
    case 'required':
      return { pointer: at(params.missingProperty!), message: 'is required' };
    case 'additionalProperties':
      return { pointer: at(params.additionalProperty!), message: `is not known: ${allowed(Object.keys(properties))}` };
    case 'discriminator': {
      const { propertyName } = value as { propertyName: string };
      return {
        pointer: at(propertyName),
        message: oneOfThese(oneOf.map((form) => form.properties[propertyName]!.const)),
      };
    }
    case 'dependentRequired':
      return { pointer: instancePath, message: `needs ${params.missingProperty} beside ${params.property}` };
    case 'propertyNames':
    case 'if':
      return undefined; // the nested error reports it
    default:
      return { pointer: instancePath, message: MESSAGES[keyword]?.(value as never) ?? 'is not valid' };
  }
}

const oneOfThese = (values: readonly unknown[]) => `must be one of ${values.join(', ')}`;
const allowed = (names: readonly string[]) =>
  names.length === 0 ? 'nothing is allowed here' : `allowed are ${names.join(', ')}`;
const TYPES: Record<string, string> = {
  object: 'an object',
  array: 'an array',
  string: 'a string',
  integer: 'an integer',
  number: 'a number',
  boolean: 'true or false',
};
/** The message for a value of another type. */
export const mustBe = (types: readonly string[]) => `must be ${types.map((type) => TYPES[type] ?? type).join(' or ')}`;

/** The message of each keyword, from its value in the schema. */
const MESSAGES: Record<string, (value: never) => string> = {
  type: (types: string | string[]) => mustBe([types].flat()),
  enum: oneOfThese,
  const: (value: unknown) => `must be ${JSON.stringify(value)}`,
  minimum: (limit: number) => `must be at least ${limit}`,
  maximum: (limit: number) => `must be at most ${limit}`,
  minLength: (limit: number) => `must have at least ${counted(limit, 'character')}`,
  maxLength: (limit: number) => `must have at most ${counted(limit, 'character')}`,
  minItems: (limit: number) => `must have at least ${counted(limit, 'item')}`,
  maxItems: (limit: number) => `must have at most ${counted(limit, 'item')}`,
  uniqueItems: () => 'must not have an item twice',
  minProperties: (limit: number) => `must have at least ${counted(limit, 'field')}`,
  maxProperties: (limit: number) => `must have at most ${counted(limit, 'field')}`,
};

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** The place of the fault. For an invalid property name, that property. */
const pointerOf = ({ instancePath, propertyName }: ErrorObject) =>
  propertyName === undefined ? instancePath : `${instancePath}/${escapePointer(propertyName)}`;
const escapePointer = (name: string) => name.replaceAll('~', '~0').replaceAll('/', '~1');
const unescapePointer = (token: string) => token.replaceAll('~1', '/').replaceAll('~0', '~');
