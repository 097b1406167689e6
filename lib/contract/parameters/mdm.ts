import Type from 'typebox';
import { exactlyOneOf } from '../alternatives.ts';
import { withDefault } from '../operation.ts';

/** No control characters, and no lone surrogates: they have no UTF-8 form. */
const PLAIN = '\\p{Cc}\\p{Cs}';
/** In a path, these would name another resource. */
const NO_DOTS = '(?!\\.{1,2}$)';

/** An id that is a segment of a path. */
const segment = (description: string) =>
  Type.String({
    pattern: `^${NO_DOTS}[^/\\\\${PLAIN}]+$`,
    maxLength: 255,
    description,
    'x-message': 'must be text of 1 to 255 characters, not . or .., and without / \\ and control characters',
  });

export const BusinessEntity = Type.String({
  pattern: '^[A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)*$',
  maxLength: 255,
  description: 'Internal id of the business entity; `business-entities` lists them.',
  'x-message': 'must be the internal id of a business entity, such as c360.person',
});

export const BusinessId = segment('Id of the golden record. Text, even where it looks like a number.');

export const SourceSystem = segment('Id of the source system; `source-systems` lists them.');

export const SourcePKey = Type.String({
  pattern: `^${NO_DOTS}[^/%\\\\";\\[\\]${PLAIN}]+$`,
  maxLength: 1000,
  description: 'Primary key of the record in its source system.',
  'x-message': 'must be text of 1 to 1000 characters, not . or .., and without / % \\ " ; [ ] and control characters',
});

/** Fields of a record. The tenant's data model defines them (`record-schema`). */
export const RecordFields = (description: string) =>
  Type.Unsafe<Record<string, unknown>>({ type: 'object', description, additionalProperties: true });

/** Any JSON value. */
export const AnyJson = (description: string) =>
  Type.Unsafe<unknown>({
    type: ['object', 'array', 'string', 'number', 'boolean', 'null'],
    items: {},
    additionalProperties: true,
    description,
  });

const flag = (description: string) => withDefault(Type.Boolean({ description }), false);

export const ShowContentMeta = flag('Include `_contentMeta`: trust scores, survivorship and data enhancement rules.');
export const ResolveCrosswalk = flag('Follow crosswalks between source keys.');
export const SkipLookup = flag('Use cached values for picklist lookups.');
export const ShowPending = flag('Return only pending (unmerged) records.');

export const Validate = flag(
  'Check the record against `record-schema` before anything is sent. Required fields are demanded of a record that ' +
    'is certainly new, with neither `sourcePKey` nor `businessId`.',
);

const Record = RecordFields(
  'Fields of the record, as the business entity names them. A field left out keeps its value, `null` clears it.',
);

/** One source record. */
export const sourceKey = { businessEntity: BusinessEntity, sourceSystem: SourceSystem, sourcePKey: SourcePKey };

export type SourceKey = Type.Static<Type.TObject<typeof sourceKey>>;

/** One golden record. */
export const goldenKey = { businessEntity: BusinessEntity, businessId: BusinessId };

export type GoldenKey = Type.Static<Type.TObject<typeof goldenKey>>;

/** Parameters that source-submit and source-enqueue share. */
export const submission = {
  businessEntity: BusinessEntity,
  sourceSystem: SourceSystem,
  businessId: Type.Optional(BusinessId),
  record: Record,
  resolveCrosswalk: ResolveCrosswalk,
};

export type SubmissionParameters = Type.Static<Type.TObject<typeof submission>>;

/** Parameters that source-submit-batch and source-enqueue-batch share. */
export const submissionBatch = {
  businessEntity: BusinessEntity,
  sourceSystem: SourceSystem,
  records: Type.Array(
    Type.Object(
      { sourcePKey: SourcePKey, record: Record, businessId: Type.Optional(BusinessId) },
      { additionalProperties: false },
    ),
    {
      minItems: 1,
      maxItems: 500,
      description: 'Source records, each with its key; those of one key keep their order.',
    },
  ),
  validate: flag('Check all records against `record-schema` before any is sent.'),
};

/** Operations whose records `record-schema` describes. */
export const RECORD_OPERATIONS = ['master-read', 'search', 'source-read', 'source-submit'] as const;
export type RecordOperation = (typeof RECORD_OPERATIONS)[number];

/** Exactly one way to look up a golden record. */
export const oneLookupForm = exactlyOneOf([['businessId'], ['sourceSystem', 'sourcePKey']], {
  none: 'has neither lookup form: give businessId, or sourceSystem and sourcePKey',
  several: 'has both lookup forms: give businessId, or sourceSystem and sourcePKey',
  part: 'has half a lookup form: sourceSystem and sourcePKey go together',
});

const text = (description: string) => Type.Optional(Type.String({ description }));

/** Attributes of a record, from its `_meta`. */
const recordAttributes = {
  businessId: text('Id of the golden record.'),
  businessEntity: text('Internal id of the business entity.'),
  createdBy: text('Who created it.'),
  creationDate: text('When it was created, epoch milliseconds.'),
  updatedBy: text('Who updated it last.'),
  lastUpdateDate: text('When it was updated last, epoch milliseconds.'),
};

/** Attributes of Master Read. */
export const masterAttributes = {
  ...recordAttributes,
  state: text('Lifecycle: ACTIVE, INACTIVE, PENDING or another.'),
  validation: text('Data quality: PENDING, PASSED, FAILED, IN_PROGRESS, …'),
  consolidation: text('Match and merge: MATCH_INDEXED, CONSOLIDATED, …'),
};

/** Attributes of Source Read. */
export const sourceAttributes = {
  ...recordAttributes,
  sourceLastUpdatedDate: text('When the source updated it last, epoch milliseconds.'),
  sourceSystem: text('Id of the source system.'),
  sourcePrimaryKey: text('Primary key in the source system.'),
  xrefType: text('Kind of cross reference.'),
};

/** Attributes of every operation on the API. */
const commonAttributes = {
  statusCode: Type.Integer({ description: 'HTTP status of the API.' }),
  requestId: text('Request id of the API, for its support team.'),
};

export type CommonAttributes = Type.Static<Type.TObject<typeof commonAttributes>>;
export type MasterAttributes = Type.Static<Type.TObject<typeof masterAttributes & typeof commonAttributes>>;
export type SourceAttributes = Type.Static<Type.TObject<typeof sourceAttributes & typeof commonAttributes>>;

/** Payload and response attributes: the output of the operations on the API. */
export const responseOf = <P extends Type.TSchema, A extends Record<string, Type.TSchema>>(payload: P, attributes: A) =>
  Type.Object({ payload, attributes: Type.Object({ ...attributes, ...commonAttributes }) });

/** Any response of the API, as it is. */
export interface AnyResponse {
  payload: unknown;
  attributes: CommonAttributes;
}

export const ObjectInternalId = segment('Internal id of the object.');

/** Choices: internal ids and display names. */
export const NamedList = Type.Array(
  Type.Object({
    id: Type.String({ description: 'Internal id.' }),
    displayName: Type.String({ description: 'Display name.' }),
  }),
);
