import Type from 'typebox';
import { OUTCOMES } from '../../core/errors.ts';
import type { Problem } from '../../core/problem.ts';
import { choiceOf, exactlyOneOf, type Choice, type Form } from '../alternatives.ts';
import {
  AnyJson,
  BusinessEntity,
  BusinessId,
  LOOKUP_FORMS,
  RecordFields,
  ResolveCrosswalk,
  responseOf,
  sourceKey,
  SourceLastUpdated,
  SourcePKey,
  SourceSystem,
  SubmittedRecord,
} from './mdm.ts';
import { rule, withDefault } from '../operation.ts';
import { STREAM_OPERATIONS } from '../stream-operations.ts';

/** Whether a change is in force. */
const approval = {
  approvalRequired: Type.Optional(Type.Boolean({ description: 'Whether a person must approve the change first.' })),
  changeListId: Type.Optional(
    Type.String({ description: 'Id of the change list that waits for approval, if the API names one.' }),
  ),
};

const Answer = RecordFields("The API's response, with the id that it names in `Location`; empty if it says nothing.");

/** The API's response to a change of a record. */
export const ChangeOutput = responseOf(Answer, {
  businessId: Type.Optional(Type.String({ description: 'Id of the golden record, if the API names it.' })),
  ...approval,
});

/** The API's response to something that has an id of its own. */
export const creationOutput = (id: string) =>
  responseOf(Answer, { id: Type.Optional(Type.String({ description: id })), ...approval });

export type ChangeResponse = Type.Static<typeof ChangeOutput>;

const StreamOperation = withDefault(
  Type.Enum([...STREAM_OPERATIONS], {
    description:
      'What the consumer does with the source record: `submit` (create or update), `replace` or `delete`. A patch is ' +
      'missing because repeating it is not safe, and the consumer delivers at least once.',
    'x-message': 'must be submit, replace or delete; a patch may not be repeated, so it cannot go through the stream',
  }),
  'submit',
);

const operationIs = (...names: string[]) => ({
  type: 'object',
  properties: { operation: { enum: names } },
  required: ['operation'],
});

/** The only value of an option that may be left out. */
const withDefaultOf = (schema: { enum: unknown[] }) => ({ ...schema, default: schema.enum[0] });

/** What each operation needs: `delete` takes no record, and only `submit` takes its options. */
function formOfOperation(name: string, onlySubmit: Record<string, { enum: unknown[] }>): Choice {
  const forbidden = { businessId: false, ...onlySubmit };
  const narrowed = Object.fromEntries(Object.entries(onlySubmit).map(([name, one]) => [name, withDefaultOf(one)]));
  const change = (prefix: string, operation: string, required: string[], optional: string[] = []): Form => ({
    name: `${prefix}${name}`,
    required: [...required, 'operation'],
    optional,
    narrowed: { operation: { enum: [operation] }, ...narrowed },
  });
  const submit = { operation: withDefaultOf({ enum: ['submit'] }) };
  const timed = ['sourceLastUpdated'];
  return choiceOf(
    [
      {
        name: `Submit${name}`,
        required: ['record'],
        optional: ['businessId', 'operation', ...timed],
        narrowed: submit,
      },
      change('Replace', 'replace', ['record'], timed),
      change('Delete', 'delete', []),
    ],
    [
      { if: operationIs('delete'), else: { type: 'object', required: ['record'] } },
      rule(
        { not: { allOf: [operationIs('delete'), { required: ['record'] }] } },
        'must not have a record: its operation is delete',
      ),
      rule(
        { not: { allOf: [operationIs('delete'), { required: timed }] } },
        'takes sourceLastUpdated only with operation submit and replace',
      ),
      rule(
        { if: operationIs('replace', 'delete'), then: { type: 'object', properties: forbidden } },
        `takes ${Object.keys(forbidden).join(' and ')} only with operation submit`,
      ),
    ],
  );
}

/** A change of a source record, as an entry of the stream holds it. */
export const sourceChange = {
  ...sourceKey,
  operation: StreamOperation,
  record: Type.Optional(SubmittedRecord),
  businessId: Type.Optional(BusinessId),
  resolveCrosswalk: ResolveCrosswalk,
  sourceLastUpdated: Type.Optional(SourceLastUpdated),
};
export const formOfChange = formOfOperation('Change', { resolveCrosswalk: { enum: [false] } });

/** Changes of many source records of one entity and source system. */
export const changeBatch = {
  businessEntity: BusinessEntity,
  sourceSystem: SourceSystem,
  records: Type.Array(
    Type.Object(
      {
        sourcePKey: SourcePKey,
        operation: StreamOperation,
        record: Type.Optional(SubmittedRecord),
        businessId: Type.Optional(BusinessId),
        sourceLastUpdated: Type.Optional(SourceLastUpdated),
      },
      { additionalProperties: false, ...formOfOperation('BatchedChange', {}) },
    ),
    {
      minItems: 1,
      maxItems: 500,
      description: 'Changes of source records, each with its key. Changes with the same key keep their order.',
    },
  ),
};

/** Names a call, so that repeating it adds nothing. */
export const IdempotencyKey = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 256,
    description:
      'Your own id of this call. A repeated call with the same key adds nothing and returns the first ids, for a ' +
      "day or the secret's `ingest.idempotencyMs`. A call with the same key and other records is refused.",
  }),
);

/** Where a record is that was put on the stream. */
export const Enqueued = Type.Object({
  stream: Type.String({ description: 'The shard that holds the record.' }),
  id: Type.String({ description: 'Id of the entry.' }),
});

const text = { type: 'string' };

/** A record of a batch that failed. */
export const FailedRecord = Type.Object({
  error: Type.Unsafe<Problem>({
    type: 'object',
    description: 'Why this record failed, with the members of an error response.',
    properties: {
      type: text,
      title: text,
      status: { type: 'integer' },
      detail: text,
      requestId: text,
      retryable: { type: 'boolean' },
      outcome: { type: 'string', enum: [...OUTCOMES] },
    },
    required: ['type', 'title', 'status', 'detail', 'requestId', 'retryable', 'outcome'],
    additionalProperties: true,
  }),
});

const JsonPointer = Type.String({
  pattern: '^/?[^/]',
  maxLength: 1000,
  description: 'JSON Pointer into the record, with or without a leading slash: `/name`, `PostalAddress/0/city`.',
  'x-message': 'must be a JSON Pointer to a part of the record, such as /name',
});

const WITH_VALUE = { enum: ['add', 'replace', 'test'] };
const WITH_FROM = { enum: ['move', 'copy'] };
const where = (op: object) => ({ type: 'object', properties: { op }, required: ['op'] });

export const PatchOperation = Type.Object(
  {
    op: Type.Enum(['add', 'remove', 'replace', 'move', 'copy', 'test'], { description: 'What to do at the path.' }),
    path: JsonPointer,
    from: Type.Optional(JsonPointer),
    value: Type.Optional(AnyJson('The value to add, replace or test: any JSON, including `null`.')),
  },
  {
    additionalProperties: false,
    ...choiceOf(
      [
        { name: 'PatchWithValue', required: ['value'], optional: ['from'], narrowed: { op: WITH_VALUE } },
        { name: 'PatchWithFrom', required: ['from'], optional: ['value'], narrowed: { op: WITH_FROM } },
        { name: 'PatchRemoval', optional: ['from', 'value'], narrowed: { op: { enum: ['remove'] } } },
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
  description: 'JSON Patch (RFC 6902): operations on the record, in order.',
});

export type PatchOperation = Type.Static<typeof PatchOperation>;

const eitherForm = exactlyOneOf(LOOKUP_FORMS, {
  none: 'needs businessId, or sourceSystem and sourcePKey',
  several: 'has both forms: give businessId, or sourceSystem and sourcePKey',
  part: 'has half a source key: sourceSystem and sourcePKey go together',
});

/** Records to merge, each by `businessId` or by a source key. */
export const RecordsToMerge = Type.Array(
  Type.Object(
    {
      businessId: Type.Optional(BusinessId),
      sourceSystem: Type.Optional(SourceSystem),
      sourcePKey: Type.Optional(SourcePKey),
    },
    { additionalProperties: false, ...eitherForm },
  ),
  {
    minItems: 2,
    maxItems: 10,
    description: 'Records to merge, each by `businessId` or by a source key.',
  },
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

/** How an unmerge treats relationships and groups. By default the API decides. */
export const unmergeOptions = {
  keepRelationships: Type.Optional(
    Type.Enum(['BUSINESS_ID', 'REMAINS', 'NONE'], { description: 'Which golden record keeps the relationships.' }),
  ),
  groupRemaining: grouping('Whether the remaining source records stay together: `ALL`, `NONE`.'),
  groupRemoved: grouping('Whether the removed source records form one golden record: `ALL`, `NONE`.'),
};
