import Type from 'typebox';
import type { Problem } from '../../core/problem.ts';
import { choiceOf, exactlyOneOf } from '../alternatives.ts';
import { AnyJson, BusinessId, RecordFields, responseOf, SourcePKey, SourceSystem } from './mdm.ts';
import { rule } from '../operation.ts';

/** What the API responds with to a change of a record. */
export const ChangeOutput = responseOf(RecordFields('The response of the API; empty where it has no body.'), {
  businessId: Type.Optional(Type.String({ description: 'Id of the golden record.' })),
  approvalRequired: Type.Optional(Type.Boolean({ description: 'Whether a person has to approve it first.' })),
});

export type ChangeResponse = Type.Static<typeof ChangeOutput>;

const text = { type: 'string' };

/** What became of a record of a batch that was not taken. */
export const FailedRecord = Type.Object({
  error: Type.Unsafe<Problem>({
    type: 'object',
    description: 'The problem of this record, with the members of an error response.',
    properties: {
      type: text,
      title: text,
      status: { type: 'integer' },
      detail: text,
      requestId: text,
      retryable: { type: 'boolean' },
    },
    required: ['type', 'title', 'status', 'detail', 'requestId', 'retryable'],
    additionalProperties: true,
  }),
});

const JsonPointer = Type.String({
  pattern: '^/?[^/]',
  maxLength: 1000,
  description: 'JSON Pointer into the record, with or without its leading slash: `/name`, `PostalAddress/0/city`.',
  'x-message': 'must be a JSON Pointer to a part of the record, such as /name',
});

const WITH_VALUE = { enum: ['add', 'replace', 'test'] };
const WITH_FROM = { enum: ['move', 'copy'] };
const where = (op: object) => ({ type: 'object', properties: { op }, required: ['op'] });

const PatchOperation = Type.Object(
  {
    op: Type.Enum(['add', 'remove', 'replace', 'move', 'copy', 'test'], { description: 'What to do at the path.' }),
    path: JsonPointer,
    from: Type.Optional(JsonPointer),
    value: Type.Optional(AnyJson('The value to add, replace or test; any JSON, `null` included.')),
  },
  {
    additionalProperties: false,
    ...choiceOf(
      [
        { required: ['value'], optional: ['from'], narrowed: { op: WITH_VALUE } },
        { required: ['from'], optional: ['value'], narrowed: { op: WITH_FROM } },
        { optional: ['from', 'value'], narrowed: { op: { enum: ['remove'] } } },
      ],
      [
        rule({ if: where(WITH_VALUE), then: { required: ['value'] } }, 'must have a value for add, replace and test'),
        rule({ if: where(WITH_FROM), then: { required: ['from'] } }, 'must have from for move and copy'),
      ],
    ),
  },
);

export const PatchOperations = Type.Array(PatchOperation, {
  minItems: 1,
  maxItems: 1000,
  description: 'JSON Patch (RFC 6902): operations on the source record, in order.',
});

export type PatchOperation = Type.Static<typeof PatchOperation>;

const eitherForm = exactlyOneOf([['businessId'], ['sourceSystem', 'sourcePKey']], {
  none: 'needs businessId, or sourceSystem and sourcePKey',
  several: 'has both forms: give businessId, or sourceSystem and sourcePKey',
  part: 'has half a source key: sourceSystem and sourcePKey go together',
});

/** Records to merge, by master id or by the key of one of their sources. */
export const RecordsToMerge = Type.Array(
  Type.Object(
    {
      businessId: Type.Optional(BusinessId),
      sourceSystem: Type.Optional(SourceSystem),
      sourcePKey: Type.Optional(SourcePKey),
    },
    { additionalProperties: false, ...eitherForm },
  ),
  { minItems: 2, maxItems: 10, description: 'Records to merge, each by `businessId` or by a source key.' },
);

/** Source records to take out of a golden record. */
export const SourcesToUnmerge = Type.Array(
  Type.Object({ sourceSystem: SourceSystem, sourcePKey: SourcePKey }, { additionalProperties: false }),
  { minItems: 1, maxItems: 10, description: 'Source records to take out of the golden record.' },
);

const grouping = (description: string) =>
  Type.Optional(
    Type.String({
      pattern: '^[A-Z_]{1,64}$',
      description,
      'x-message': 'must be ALL, NONE or another name in capitals',
    }),
  );

/** What becomes of the parts of a golden record that is unmerged; without them, the API decides. */
export const unmergeOptions = {
  keepRelationships: Type.Optional(
    Type.Enum(['BUSINESS_ID', 'REMAINS', 'NONE'], { description: 'Which record keeps the relationships.' }),
  ),
  groupRemaining: grouping('Whether the remaining source records stay together: `ALL`, `NONE`.'),
  groupRemoved: grouping('Whether the removed source records form one golden record: `ALL`, `NONE`.'),
};
