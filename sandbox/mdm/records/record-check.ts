import { CODE_LISTS } from './code-lists.ts';
import type { ModelField } from './data-model.ts';

function nameOfCode(lookupType: string, code: unknown): string | undefined {
  const codes = CODE_LISTS[lookupType];
  return typeof code === 'string' && codes && Object.hasOwn(codes, code) ? codes[code] : undefined;
}

export interface RecordFault {
  code: 'INVALID_VALUE' | 'INVALID_LOOKUP' | 'UNKNOWN_FIELD' | 'REQUIRED_FIELD';
  message: string;
}

const isNumber = (value: unknown) => typeof value === 'number' || JSON.isRawJSON(value);
/** A number, or one as text. */
const isDecimal = (value: unknown) => isNumber(value) || (typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value));
const isDate = (value: unknown) =>
  isNumber(value) || (typeof value === 'string' && (/^-?\d+$/.test(value) || !Number.isNaN(Date.parse(value))));
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The valid values of each kind of field, by the last part of its eClass. */
const FITS: Record<string, (value: unknown) => boolean> = {
  TextField: (value) => typeof value === 'string',
  IntegerField: (value) => Number.isInteger(value) || JSON.isRawJSON(value),
  DecimalField: isDecimal,
  DoubleField: isDecimal,
  BooleanField: (value) => typeof value === 'boolean',
  DateField: isDate,
  DateTimeField: isDate,
};

let nextItem = 1;

/**
 * Reads the fields of a submitted record: adds names to lookups and an `_id` to items of lists, and collects every
 * fault. Omits names that begin with `_`, which are the service's own.
 */
export function readFields(
  fields: readonly ModelField[],
  record: Record<string, unknown>,
  path = '',
): [Record<string, unknown>, RecordFault[]] {
  const faults: RecordFault[] = [];
  const read: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(record)) {
    if (name.startsWith('_')) continue;
    const field = fields.find((candidate) => candidate.name === name);
    if (field) read[name] = readValue(field, value, `${path}${name}`, faults);
    else faults.push({ code: 'UNKNOWN_FIELD', message: `Field ${path}${name} does not exist` });
  }
  return [read, faults];
}

/** The missing required fields of a record. */
export function missingFields(fields: readonly ModelField[], record: Record<string, unknown>): RecordFault[] {
  return fields
    .filter(
      ({ required, name }) => required && (record[name] === undefined || record[name] === null || record[name] === ''),
    )
    .map(({ name }) => ({ code: 'REQUIRED_FIELD', message: `Field ${name} is required` }));
}

function readValue(field: ModelField, value: unknown, path: string, faults: RecordFault[]): unknown {
  if (value === null) return null;
  if (!field.allowMany) return readOne(field, value, path, faults);
  if (Array.isArray(value)) return value.map((item, index) => readOne(field, item, `${path}[${index}]`, faults));
  faults.push({ code: 'INVALID_VALUE', message: `Field ${path} takes a list` });
  return undefined;
}

function readOne(field: ModelField, value: unknown, path: string, faults: RecordFault[]): unknown {
  if (field.field) return readGroup(field, value, path, faults);
  if (field.codeField) {
    const code = isObject(value) ? value.Code : value;
    const name = nameOfCode(field.codeField.lookupType, code);
    if (name === undefined) faults.push({ code: 'INVALID_LOOKUP', message: `Field ${path} names no known code` });
    return { Name: name, Code: code };
  }
  const kind = field.eClass.slice(field.eClass.lastIndexOf('/') + 1);
  if (!FITS[kind]!(value)) faults.push({ code: 'INVALID_VALUE', message: `Field ${path} takes no such value` });
  return value;
}

function readGroup(field: ModelField, value: unknown, path: string, faults: RecordFault[]): unknown {
  if (!isObject(value)) {
    faults.push({ code: 'INVALID_VALUE', message: `Field ${path} takes an object` });
    return undefined;
  }
  const [read, inner] = readFields(field.field!, value, `${path}.`);
  faults.push(...inner, ...missingFields(field.field!, read));
  return field.allowMany ? { _id: (nextItem++).toString(16).padStart(12, '0'), ...read } : read;
}
