import Type from 'typebox';
import { defineOperation, withDefault } from '#lib/contract/operation.ts';
import { Entry, entryOptions, entryRules } from '#lib/contract/parameters/entry.ts';
import { EvictionOption, StreamKey } from '#lib/contract/parameters/stream.ts';

export const xaddBatch = defineOperation({
  name: 'stream-xadd-batch',
  group: 'streams',
  summary: 'Append entries to a stream, all or none',
  description:
    'Returns the ids in the order of the entries, or `null` (204) if the stream does not exist and `noMkStream` ' +
    'is true. After an error whose `outcome` is `unknown`, either all entries were added, or none.',
  input: Type.Object(
    {
      key: StreamKey,
      entries: Type.Array(Entry, {
        minItems: 1,
        maxItems: 1000,
        description: 'Entries, each of field-value pairs.',
      }),
      noMkStream: withDefault(Type.Boolean({ description: 'With true, a missing stream is not created.' }), false),
      evictionOption: Type.Optional(EvictionOption),
      ...entryOptions,
    },
    { allOf: entryRules((items) => ({ properties: { entries: { items } } })) },
  ),
  output: Type.Union([Type.Array(Type.String()), Type.Null()], { description: 'Ids of the new entries.' }),
  errors: ['STREAM:ARGUMENT', 'STREAM:COMMAND', 'STREAM:WRONG_TYPE'],
  idempotent: false,
  rights: [{ needs: ['multi', 'exec', 'xadd'] }],
  example: {
    input: { key: 'orders', entries: [{ order: '1001' }, { order: '1002' }] },
    output: ['1526919030474-0', '1526919030474-1'],
  },
});
