import { partition } from '@aws-sdk/core/client';

/** As much of a parameter's schema as its texts depend on. */
export interface ParameterSchema {
  readonly type?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly (string | number)[];
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxItems?: number;
  readonly items?: ParameterSchema;
  readonly additionalProperties?: ParameterSchema | boolean;
  readonly 'x-message'?: string;
}

const SWITCH: Readonly<Record<string, boolean>> = { on: true, true: true, off: false, false: false };

/** A value of the command line or a file as its schema wants it. What does not fit stays, for the validation. */
export function typed(schema: ParameterSchema, value: unknown): unknown {
  const { type, items, additionalProperties: member } = schema;
  if (items && !isInFileOnly(schema)) return listIn(value, items);
  if (type === 'object') return typeof member === 'object' ? withTexts(value, member) : value;
  const text = textOf(value);
  if (text === undefined) return value;
  if (schema.enum) return schema.enum.find((one) => String(one) === text.toLowerCase()) ?? text;
  if (type === 'boolean') return Object.hasOwn(SWITCH, text) ? SWITCH[text] : text;
  if (type === 'integer') return /^-?\d{1,15}$/.test(text) ? Number(text) : text;
  return type === 'string' ? text : value;
}

/** A comma list, or a list of the parameters file. */
function listIn(value: unknown, items: ParameterSchema): unknown {
  const list: unknown = Array.isArray(value) ? value : (textOf(value)?.split(',') ?? value);
  return Array.isArray(list) ? list.map((item: unknown) => typed(items, item)) : list;
}

function withTexts(value: unknown, member: ParameterSchema): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, typed(member, one)]));
}

/** A scalar as text; undefined for null, objects and empty text. */
function textOf(value: unknown): string | undefined {
  const isText = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  return isText ? String(value).trim() || undefined : undefined;
}

/** Whether a parameter cannot be given on the command line. */
export const isInFileOnly = ({ type, items }: ParameterSchema): boolean =>
  type === 'object' || items?.type === 'object';

/** What is allowed, for people. A list is one of the command line, unless `list` says otherwise. */
export function allowedOf(schema: ParameterSchema, list = 'a comma list'): string {
  const { type, items, minimum, maximum, maxItems = 100, 'x-message': message = '' } = schema;
  if (isInFileOnly(schema)) return `${type === 'object' ? 'names and values' : 'a list'}, in the parameters file only`;
  if (items) return `${list}, at most ${maxItems}; each ${allowedOf(items)}`;
  if (schema.enum) return `one of ${schema.enum.join(', ')}`;
  return type === 'integer' ? `an integer from ${minimum} to ${maximum}` : message.replace('must be ', '');
}

/** A value as an operator would give it; undefined if there is none. */
export function textOfValue(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  if (Object.keys(value).length === 0) return undefined;
  const isList = Array.isArray(value) && value.every((item) => typeof item === 'string');
  return isList ? value.join(',') : JSON.stringify(value);
}

export const REGION_ALLOWED = 'a region that AWS has, such as eu-central-1';
/** Whether AWS has this region, by the list of its SDK. */
export const isRegion = (value: string) => /-\d$/.test(value) && 'description' in partition(value);
/** `amazonaws.com`; another one in China. */
export const urlSuffixOf = (region: string): string => partition(region).dnsSuffix;

/** A rate of EventBridge Scheduler. */
export const RATE = /^(rate\((1 (minute|hour|day)|([2-9]|[1-9]\d{1,3}) (minutes|hours|days))\)|cron\([^()]{11,100}\))$/;
export const RATE_ALLOWED = 'rate(1 minute), rate(5 minutes), … or cron(…)';
