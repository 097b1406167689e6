import Type from 'typebox';
import { BusinessEntity, Count, RecordFields, responseOf, ShowContentMeta } from './mdm.ts';
import { choiceOf, choices, exactlyOneOf, oneFormOf, type Form } from '../alternatives.ts';
import { rule, withDefault } from '../operation.ts';

const SCALAR = [
  'EQUALS',
  'NOT_EQUALS',
  'CONTAINS',
  'STARTS_WITH',
  'ENDS_WITH',
  'GREATER_THAN',
  'GREATER_THAN_OR_EQUAL_TO',
  'LESS_THAN',
  'LESS_THAN_OR_EQUAL_TO',
] as const;
const NONE = ['IS_MISSING', 'IS_NOT_MISSING'] as const;
const COMPARATORS = [...SCALAR, 'IN', 'BETWEEN', ...NONE] as const;

type Scalar = string | number | boolean;

export interface Filter {
  comparator: (typeof COMPARATORS)[number];
  fieldName: string;
  fieldValue?: Scalar | Scalar[];
  fieldValueGroups?: unknown[];
}

const scalar = { type: ['string', 'number', 'boolean'] };
const list = { type: 'array', items: scalar, minItems: 1, maxItems: 10_000 };
const two = { ...list, minItems: 2, maxItems: 2 };

/**
 * A comparator needs the right number of values: a filter that cannot be built would be dropped, and return everything.
 */
const arity = (comparators: readonly string[], then: Record<string, unknown>, message: string) =>
  rule({ if: { properties: { comparator: { enum: comparators } }, required: ['comparator'] }, then }, message);

/** The value that a comparator takes, or groups of values instead of it. */
const withValue = (fieldValue: unknown) => ({
  properties: { fieldValue },
  anyOf: [{ required: ['fieldValue'] }, { required: ['fieldValueGroups'] }],
});
const withoutValue = { not: { anyOf: [{ required: ['fieldValue'] }, { required: ['fieldValueGroups'] }] } };

const valued = (name: string, comparators: readonly string[], fieldValue: object): Form => ({
  name,
  required: ['fieldValue'],
  optional: ['fieldValueGroups'],
  narrowed: { comparator: { enum: [...comparators] }, fieldValue },
});

const FieldName = Type.String({ minLength: 1, description: 'Name of the field, for example `c360person.lastName`.' });

export const SearchFilter = Type.Unsafe<Filter>({
  type: 'object',
  properties: {
    comparator: Type.Enum([...COMPARATORS]),
    fieldName: FieldName,
    fieldValue: {
      type: ['string', 'number', 'boolean', 'array'],
      items: scalar,
      description: 'One value. IN takes a list, BETWEEN a list of two, IS_MISSING and IS_NOT_MISSING no value.',
    },
    fieldValueGroups: {
      type: 'array',
      minItems: 1,
      maxItems: 10_000,
      items: { type: ['string', 'number', 'boolean', 'object', 'array'], items: {} },
      description: 'Groups of values, sent unchanged, with `fieldValue` or instead of it.',
    },
  },
  required: ['comparator', 'fieldName'],
  additionalProperties: false,
  ...choiceOf(
    [
      valued('FilterByValue', SCALAR, scalar),
      valued('FilterByList', ['IN'], list),
      valued('FilterByRange', ['BETWEEN'], two),
      {
        name: 'FilterByGroups',
        required: ['fieldValueGroups'],
        narrowed: { comparator: { enum: [...SCALAR, 'IN', 'BETWEEN'] } },
      },
      { name: 'FilterByAbsence', narrowed: { comparator: { enum: [...NONE] } } },
    ],
    [
      arity(SCALAR, withValue(scalar), 'needs one fieldValue: text, a number up to 2^53, or a boolean'),
      arity(['IN'], withValue(list), 'needs a list as fieldValue for IN'),
      arity(['BETWEEN'], withValue(two), 'needs a list of two as fieldValue for BETWEEN'),
      arity(NONE, withoutValue, 'takes no fieldValue for IS_MISSING and IS_NOT_MISSING'),
    ],
  ),
});

export const Filters = Type.Object(
  {
    operator: withDefault(
      Type.Enum(['AND', 'OR'], { description: 'Whether a record must pass all filters or any of them.' }),
      'AND',
    ),
    filter: Type.Array(SearchFilter, { minItems: 1 }),
  },
  { additionalProperties: false, description: 'Additional filters.' },
);

export const Sort = Type.Array(
  Type.Object(
    { fieldName: FieldName, order: Type.Optional(withDefault(Type.Enum(['ASCENDING', 'DESCENDING']), 'ASCENDING')) },
    { additionalProperties: false },
  ),
  { minItems: 1, description: 'Sort order: by the first field, then by the next.' },
);

export const SearchFields = Type.Unsafe<Record<string, string>>({
  type: 'object',
  minProperties: 1,
  additionalProperties: { type: 'string' },
  description: 'Text to search for in each field.',
});

const count = (minimum: number, description: string) => Type.Optional(Count(minimum, description));

/** Two ways of paging, which do not mix. */
const paging = {
  pageSize: count(1, 'Records per page.'),
  pageOffset: count(0, 'Page number, from 0.'),
  recordsToReturn: count(1, 'Records to return.'),
  recordOffset: count(0, 'Records to skip.'),
  maxRecords: count(1, 'Maximum number of records over all pages.'),
};

/** The business entity of a search. */
export const SearchedEntity = {
  ...BusinessEntity,
  description: 'Internal id of the business entity; `business-entities` lists them. Without it, all are searched.',
};

/** A search request. */
export const searchQuery = {
  businessEntity: Type.Optional(SearchedEntity),
  search: Type.Optional(
    Type.String({ minLength: 1, description: 'Text to search for in all fields; `*` matches every record.' }),
  ),
  fields: Type.Optional(SearchFields),
  filters: Type.Optional(Filters),
  sort: Type.Optional(Sort),
  ...paging,
  searchLocale: Type.Optional(Type.String({ minLength: 1, description: 'Language of the search, for example `en`.' })),
  showContentMeta: ShowContentMeta,
};

export type SearchQuery = Type.Static<Type.TObject<typeof searchQuery>>;

const EITHER = { none: 'must have either search or fields', several: 'has both search and fields: give one of them' };

export const searchRules = choices(
  exactlyOneOf({ SearchByText: ['search'], SearchByFields: ['fields'] }, EITHER),
  oneFormOf(
    [
      { name: 'PagedByNumber', optional: ['pageSize', 'pageOffset'] },
      { name: 'PagedByCount', required: ['recordsToReturn'], optional: ['recordOffset'] },
      { name: 'PagedByOffset', required: ['recordOffset'] },
    ],
    'mixes two ways of paging: pageSize with pageOffset, or recordsToReturn with recordOffset',
  ),
);

const number = (description: string) => Type.Optional(Type.Integer({ description }));

export const FoundRecord = RecordFields(
  'A golden record, with the prefix of the entity in its field names: `c360city.name`.',
);

const FoundRecords = Type.Object({
  searchResult: Type.Object({
    hits: Type.Optional(Type.Number({ description: 'Total number of matching records, as the API counts them.' })),
    records: Type.Array(FoundRecord, { description: 'The records of the page.' }),
  }),
});

/** A search response. */
export const SearchOutput = responseOf(FoundRecords, {
  hits: number('Total number of matching records.'),
  pageSize: number('From the response, or else from the request.'),
  pageOffset: number('From the response, or else from the request.'),
  recordsToReturn: number('From the response, or else from the request.'),
  recordOffset: number('From the response, or else from the request.'),
  maxRecords: number('From the request.'),
  complete: Type.Optional(
    Type.Boolean({
      description:
        'With `allPages`: false if the read stopped early, at 10,000 records, 6 MB or the deadline, or if the ' +
        'service pages so that some records may be missing.',
    }),
  ),
});

export type SearchResponse = Type.Static<typeof SearchOutput>;
