import Type from 'typebox';
import { defineOperation, withDefault } from '#lib/contract/operation.ts';
import {
  Entry,
  entryOptions,
  entryRules,
  Idempotency,
  idempotencyRule,
  referencesRule,
} from '#lib/contract/parameters/entry.ts';
import { TrimReferences } from '#lib/contract/parameters/stream-info.ts';
import { EvictionOption, NewEntryId, StreamKey } from '#lib/contract/parameters/stream.ts';

export const xadd = defineOperation({
  name: 'stream-xadd',
  group: 'streams',
  summary: 'Append an entry to a stream, optionally evicting old ones',
  description:
    'Returns the id of the new entry, or `null` (204) if the stream does not exist and `noMkStream` is true. ' +
    'After an error whose `outcome` is `unknown` the entry may have been added; with `idempotency` you can safely ' +
    'repeat the call.',
  input: Type.Object(
    {
      key: StreamKey,
      noMkStream: withDefault(Type.Boolean({ description: 'With true, a missing stream is not created.' }), false),
      id: withDefault(NewEntryId, '*'),
      evictionOption: Type.Optional(EvictionOption),
      references: Type.Optional(TrimReferences),
      entry: Entry,
      idempotency: Type.Optional(Idempotency),
      ...entryOptions,
    },
    { allOf: [...entryRules((entry) => ({ properties: { entry } })), idempotencyRule, referencesRule] },
  ),
  output: Type.Union([Type.String(), Type.Null()], { description: 'Id of the new entry.' }),
  errors: ['STREAM:ARGUMENT', 'STREAM:COMMAND', 'STREAM:WRONG_TYPE'],
  idempotent: { with: 'idempotency' },
  rights: [{ needs: ['xadd'] }],
  example: {
    input: { key: 'orders', entry: { order: '1001', status: 'paid' } },
    output: '1526919030474-0',
  },
  textOutput: true,
});
