import Type from 'typebox';
import { exactlyOneOf } from '../alternatives.ts';
import { withDefault } from '../operation.ts';

/** Control characters, and lone surrogates, which have no UTF-8 form. */
const UNPRINTABLE = '\\p{Cc}\\p{Cs}';

/** Text without these characters, but not `.` or `..`: in a path, they would name another resource. */
const segmentWithout = (refused: string) =>
  `^(\\.{0,2}[^.${refused}${UNPRINTABLE}]|\\.{3})[^${refused}${UNPRINTABLE}]*$`;

/** An id that is a segment of a path. */
const segment = (description: string) =>
  Type.String({
    pattern: segmentWithout('/\\\\'),
    maxLength: 255,
    description,
    'x-message': 'must be text of 1 to 255 characters, not . or .., and without / \\ and control characters',
  });

/** A time in ISO 8601 with its offset. */
export const INSTANT =
  '^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])T([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(\\.\\d{1,9})?' +
  '(Z|[+-]([01]\\d|2[0-3]):[0-5]\\d)$';

export const BusinessEntity = Type.String({
  pattern: '^[A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)*$',
  maxLength: 255,
  'x-names': 'entity',
  description: 'Internal id of the business entity; `business-entities` lists them.',
  'x-message': 'must be the internal id of a business entity, such as c360.person',
});

export const BusinessId = segment('Id of the golden record. Send it as text even if it looks like a number.');

export const SourceSystem = segment('Id of the source system; `source-systems` lists them.');

export const SourcePKey = Type.String({
  pattern: segmentWithout('/%\\\\";\\[\\]'),
  maxLength: 1000,
  description: 'Primary key of the record in its source system.',
  'x-message': 'must be text of 1 to 1000 characters, not . or .., and without / % \\ " ; [ ] and control characters',
});

/** Fields of a record. The tenant's data model defines them (`record-schema`). */
export const RecordFields = (description: string) =>
  Type.Unsafe<Record<string, unknown>>({ type: 'object', description, additionalProperties: true });

/** A whole number that JSON.parse does not round. */
export const Count = (minimum: number, description: string) =>
  Type.Integer({ minimum, maximum: Number.MAX_SAFE_INTEGER, description });

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
export const ResolveCrosswalk = flag("Standardize picklist values by the source system's configuration in the tenant.");
export const SkipLookup = flag('Use cached values for picklist lookups.');
export const ShowPending = flag(
  'Return only pending (unmerged) records, which wait for a review of their creation, change or deletion.',
);

export const Validate = flag(
  'Check the record against `record-schema` before sending it. Required fields are checked only for a record that is ' +
    'certainly new: one with neither `sourcePKey` nor `businessId`.',
);

export const ValidateAll = flag('Check all records against `record-schema` before sending any.');

export const GoldenRecord = RecordFields(
  'The golden record with `_meta`, and with `_contentMeta` if you asked for it.',
);
export const SourceRecord = RecordFields(
  'The source record with `_meta`, and with `_contentMeta` if you asked for it.',
);
export const SubmittedRecord = RecordFields(
  'Fields of the record, by their names in the business entity. `null` clears a field. Whether an omitted field ' +
    'keeps its value depends on the tenant: the API documents a full mode, which removes it. Send whole records.',
);
export const WholeRecord = RecordFields('The whole record, with the field names of the business entity.');

export const SourceLastUpdated = Type.Union(
  [Type.Integer({ minimum: 0, maximum: 8_640_000_000_000_000 }), Type.String({ pattern: INSTANT })],
  {
    description:
      'When the source changed the record: ISO 8601, or epoch milliseconds. Survivorship may depend on it. Needs ' +
      '`mdm.sourceLastUpdated` in the secret.',
    'x-message': 'must be epoch milliseconds, or a time in ISO 8601 with its offset, such as 2026-01-31T00:00:00Z',
  },
);

export type SourceTime = Type.Static<typeof SourceLastUpdated>;

/** One source record. */
export const sourceKey = { businessEntity: BusinessEntity, sourceSystem: SourceSystem, sourcePKey: SourcePKey };

/** The record that examples read and change. */
export const exampleKey = { businessEntity: 'c360.city', sourceSystem: 'geonames', sourcePKey: '2946447' };

export type SourceKey = Type.Static<Type.TObject<typeof sourceKey>>;

/** One golden record. */
export const goldenKey = { businessEntity: BusinessEntity, businessId: BusinessId };

export type GoldenKey = Type.Static<Type.TObject<typeof goldenKey>>;

/** A golden record, and the source that changes it. */
export const masterChange = {
  ...goldenKey,
  sourceSystem: {
    ...SourceSystem,
    description: 'Id of the source system that makes the change; `source-systems` lists them.',
  },
  sourcePKey: Type.Optional({
    ...SourcePKey,
    description: 'Primary key of the source record that carries the change. Without it, the API chooses one.',
  }),
};

export type MasterChange = Type.Static<Type.TObject<typeof masterChange>>;

/** Parameters that source-submit and source-enqueue share. */
export const submission = {
  businessEntity: BusinessEntity,
  sourceSystem: SourceSystem,
  businessId: Type.Optional(BusinessId),
  record: SubmittedRecord,
  resolveCrosswalk: ResolveCrosswalk,
  sourceLastUpdated: Type.Optional(SourceLastUpdated),
};

export type SubmissionParameters = Type.Static<Type.TObject<typeof submission>>;

/** Parameters that source-submit-batch and source-enqueue-batch share. */
export const submissionBatch = {
  businessEntity: BusinessEntity,
  sourceSystem: SourceSystem,
  records: Type.Array(
    Type.Object(
      {
        sourcePKey: SourcePKey,
        record: SubmittedRecord,
        businessId: Type.Optional(BusinessId),
        sourceLastUpdated: Type.Optional(SourceLastUpdated),
      },
      { additionalProperties: false },
    ),
    {
      minItems: 1,
      maxItems: 500,
      description: 'Source records, each with its key. Records with the same key keep their order.',
    },
  ),
  validate: ValidateAll,
};

/** Operations whose records `record-schema` describes. */
export const RECORD_OPERATIONS = ['master-read', 'search', 'source-read', 'source-submit'] as const;
export type RecordOperation = (typeof RECORD_OPERATIONS)[number];

/** How a golden record is named: by its own id, or by the key of one of its sources. */
export const LOOKUP_FORMS = { ByBusinessId: ['businessId'], BySourceKey: ['sourceSystem', 'sourcePKey'] };

/** Exactly one of the two ways to look up a golden record. */
export const oneLookupForm = exactlyOneOf(LOOKUP_FORMS, {
  none: 'has neither lookup form: give businessId, or sourceSystem and sourcePKey',
  several: 'has both lookup forms: give businessId, or sourceSystem and sourcePKey',
  part: 'has half a lookup form: sourceSystem and sourcePKey go together',
});

const text = (description: string) => Type.Optional(Type.String({ description }));

/** Attributes of a record, from its `_meta`. */
export const recordAttributes = {
  businessId: text('Id of the golden record.'),
  businessEntity: text('Internal id of the business entity.'),
  createdBy: text('Who created it.'),
  creationDate: text('When it was created, in epoch milliseconds.'),
  updatedBy: text('Who last updated it.'),
  lastUpdateDate: text('When it was last updated, in epoch milliseconds.'),
};

export const masterAttributes = {
  ...recordAttributes,
  state: text('Lifecycle: ACTIVE, INACTIVE, PENDING or another.'),
  validation: text('Data quality: PENDING, PASSED, FAILED, IN_PROGRESS, …'),
  consolidation: text('Match and merge: MATCH_INDEXED, CONSOLIDATED, …'),
};

export const sourceAttributes = {
  ...recordAttributes,
  sourceLastUpdatedDate: text('When the source last updated it, in epoch milliseconds.'),
  sourceSystem: text('Id of the source system.'),
  sourcePrimaryKey: text('Primary key in the source system.'),
  xrefType: text('Kind of cross reference.'),
};

/** Attributes of every operation on the API. */
export const commonAttributes = {
  statusCode: Type.Integer({ description: 'HTTP status that the API returned.' }),
  requestId: text("The API's request id, for its support team."),
};

export type CommonAttributes = Type.Static<Type.TObject<typeof commonAttributes>>;
export type MasterAttributes = Type.Static<Type.TObject<typeof masterAttributes & typeof commonAttributes>>;
export type SourceAttributes = Type.Static<Type.TObject<typeof sourceAttributes & typeof commonAttributes>>;

/** Payload and response attributes: the output of the operations on the API. */
export const responseOf = <P extends Type.TSchema, A extends Record<string, Type.TSchema>>(payload: P, attributes: A) =>
  Type.Object({ payload, attributes: Type.Object({ ...attributes, ...commonAttributes }) });

/** All pages of a list as one. */
export const listOutput = (description: string) =>
  responseOf(RecordFields(description), {
    complete: Type.Boolean({
      description:
        'Whether this is all: false if the read stopped early, at 6 MB, at the deadline, or because the service ' +
        'repeats a page.',
    }),
  });

export type ListResponse = Type.Static<ReturnType<typeof listOutput>>;

/** Any response of the API, unchanged. */
export interface AnyResponse {
  payload: unknown;
  attributes: CommonAttributes;
}

/** What is known of a job. */
export const JobOutput = responseOf(RecordFields('The job, as the API returns it.'), {
  id: text('Id of the job as text, exact even beyond 2^53.'),
});

export const ObjectInternalId = segment('Internal id of the object.');

/** Choices: internal ids and display names. */
export const NamedList = Type.Array(
  Type.Object({
    id: Type.String({ description: 'Internal id.' }),
    displayName: Type.String({ description: 'Display name.' }),
  }),
);
