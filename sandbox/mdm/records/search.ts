import { refusal } from './responses.ts';
import { blendOf } from './survivorship.ts';
import type { GoldenRecord } from './record.ts';
import type { Records } from './records.ts';

type Json = Record<string, unknown>;

interface Filter {
  comparator: string;
  fieldName: string;
  fieldValue?: unknown;
  /** Further values, of which one must match. */
  fieldValueGroups?: unknown;
}

/** Number of records that a search reaches. */
const LIMIT = 10_000;

export interface SearchOptions {
  /** The largest page that the service returns. Default: all that can be reached. */
  largestPage?: number;
  /** The page size in the response: the returned one, the requested one, or none. Default given. */
  namedPageSize?: 'given' | 'asked' | 'none';
}

const bad = (summary: string) => refusal(400, 'SRCH_BAD_REQUEST', summary);

/** The requested page of golden records, and the number of all. */
export function search(
  records: Records,
  request: Json,
  options: SearchOptions = {},
): { hits: number; page: GoldenRecord[]; paging: Json } {
  const { entityType, search: text, fields, filters, sort } = request as Json & { search?: string };
  if ((text === undefined) === (fields === undefined)) throw bad('Exactly one of search and fields is needed');
  const entity = entityType === undefined ? undefined : records.entity(entityType as string).guid;
  const matches = [textMatch(text), fieldsMatch(fields as Json | undefined), filtersMatch(filters as Json | undefined)];
  const found = records
    .allGolden(entity)
    .map((golden) => ({ golden, fields: blendOf(golden) }))
    .filter((candidate) => matches.every((match) => match(candidate.fields)));
  sortBy(found, (sort ?? []) as Json[]);
  const { offset, size, paging } = readPaging(request, options);
  const page = found.slice(offset, Math.min(offset + size, Number(request.maxRecords ?? LIMIT)));
  return { hits: found.length, page: page.map(({ golden }) => golden).filter(({ hidden }) => !hidden), paging };
}

function readPaging(
  { pageSize, pageOffset, recordsToReturn, recordOffset }: Json,
  { largestPage = LIMIT, namedPageSize = 'given' }: SearchOptions,
): { offset: number; size: number; paging: Json } {
  const byPage = pageSize !== undefined || pageOffset !== undefined;
  const byRecord = recordsToReturn !== undefined || recordOffset !== undefined;
  if (byPage && byRecord) throw bad('The two ways of paging do not mix');
  const asked = Number((byRecord ? recordsToReturn : pageSize) ?? 10);
  const size = Math.min(asked, largestPage);
  const offset = byRecord ? Number(recordOffset ?? 0) : Number(pageOffset ?? 0) * size;
  if (!(size > 0) || !(offset >= 0)) throw bad('The paging is not valid');
  if (offset + size > LIMIT) throw refusal(400, 'SRCH_WINDOW_TOO_LARGE', `At most ${LIMIT} records can be reached`);
  if (namedPageSize === 'none') return { offset, size, paging: {} };
  const named = namedPageSize === 'asked' ? asked : size;
  const paging = byRecord
    ? { recordsToReturn: named, recordOffset: offset }
    : { pageSize: named, pageOffset: offset / size };
  return { offset, size, paging };
}

type Match = (fields: Json) => boolean;

function textMatch(text: string | undefined): Match {
  if (text === undefined || text === '*') return () => true;
  const words = text.toLowerCase().split(/\s+/);
  return (fields) => {
    const haystack = leaves(fields).join('\n').toLowerCase();
    return words.every((word) => haystack.includes(word));
  };
}

function fieldsMatch(fields: Json = {}): Match {
  const wanted = Object.entries(fields);
  return (record) =>
    wanted.every(([name, text]) =>
      leaves(valueAt(record, name)).some((leaf) => leaf.toLowerCase().includes(String(text).toLowerCase())),
    );
}

function filtersMatch(filters?: Json): Match {
  if (filters === undefined) return () => true;
  const { operator = 'AND', filter } = filters as { operator?: string; filter?: Filter[] };
  if (!Array.isArray(filter)) throw bad('filters.filter is a list');
  const matches = filter.map(filterMatch);
  return operator === 'OR'
    ? (fields) => matches.some((match) => match(fields))
    : (fields) => matches.every((match) => match(fields));
}

const COMPARATORS: Record<string, (value: string, wanted: string[]) => boolean> = {
  EQUALS: (value, [wanted]) => value === wanted,
  NOT_EQUALS: (value, [wanted]) => value !== wanted,
  CONTAINS: (value, [wanted]) => value.includes(wanted!),
  STARTS_WITH: (value, [wanted]) => value.startsWith(wanted!),
  ENDS_WITH: (value, [wanted]) => value.endsWith(wanted!),
  GREATER_THAN: (value, [wanted]) => compare(value, wanted!) > 0,
  GREATER_THAN_OR_EQUAL_TO: (value, [wanted]) => compare(value, wanted!) >= 0,
  LESS_THAN: (value, [wanted]) => compare(value, wanted!) < 0,
  LESS_THAN_OR_EQUAL_TO: (value, [wanted]) => compare(value, wanted!) <= 0,
  IN: (value, wanted) => wanted.includes(value),
  BETWEEN: (value, [from, to]) => compare(value, from!) >= 0 && compare(value, to!) <= 0,
};

function filterMatch({ fieldValueGroups, ...filter }: Filter): Match {
  if (fieldValueGroups === undefined) return valueMatch(filter);
  if (!isList(fieldValueGroups)) throw bad('fieldValueGroups is a list');
  const groups = filter.fieldValue === undefined ? fieldValueGroups : [filter.fieldValue, ...fieldValueGroups];
  const matches = groups.map((fieldValue: unknown) => valueMatch({ ...filter, fieldValue }));
  return (fields) => matches.some((match) => match(fields));
}

function valueMatch({ comparator, fieldName, fieldValue }: Filter): Match {
  const values = (fields: Json) => leaves(valueAt(fields, fieldName)).map((leaf) => leaf.toLowerCase());
  if (comparator === 'IS_MISSING') return (fields) => values(fields).length === 0;
  if (comparator === 'IS_NOT_MISSING') return (fields) => values(fields).length > 0;
  const compares = COMPARATORS[comparator];
  const isList = Array.isArray(fieldValue);
  const takesList = comparator === 'IN' || comparator === 'BETWEEN';
  if (!compares || fieldValue === undefined || isList !== takesList) throw bad('A filter is not valid');
  const operands: unknown[] = isList ? fieldValue : [fieldValue];
  if (operands.some((value) => typeof value === 'object'))
    throw bad('A filter compares with text, numbers and booleans');
  const wanted = operands.map((value) => String(value).toLowerCase());
  if (comparator === 'BETWEEN' && wanted.length !== 2) throw bad('BETWEEN takes two values');
  return (fields) => values(fields).some((value) => compares(value, wanted));
}

function compare(a: string, b: string): number {
  const difference = Number(a) - Number(b);
  return Number.isNaN(difference) ? a.localeCompare(b) : difference;
}

function sortBy(found: { fields: Json }[], sort: Json[]): void {
  if (sort.length === 0) return;
  found.sort((a, b) => {
    for (const { fieldName, order } of sort as { fieldName: string; order?: string }[]) {
      const [left = '', right = ''] = [a, b].map(({ fields }) => leaves(valueAt(fields, fieldName))[0]);
      const difference = compare(left, right) * (order === 'DESCENDING' ? -1 : 1);
      if (difference !== 0) return difference;
    }
    return 0;
  });
}

/** The value at `c360city.location.latitude`; the entity's part is optional, and lists are searched. */
function valueAt(fields: Json, name: string): unknown {
  const path = name.replace(/^c360[a-z]+\./, '').split('.');
  let values: unknown[] = [fields];
  for (const step of path) values = values.flatMap((value) => (value as Json)?.[step] ?? []);
  return values;
}

/** All plain values inside, as text. A lookup counts with its code and its name. */
export function leaves(value: unknown): string[] {
  if (value === undefined || value === null) return [];
  if (typeof value === 'string') return [value];
  const isPlain = typeof value !== 'object' || JSON.isRawJSON(value);
  return isPlain ? [JSON.stringify(value)] : Object.values(value).flatMap(leaves);
}

const isList = (value: unknown): value is unknown[] => Array.isArray(value);
