import Type from 'typebox';
import { defineOperation, withDefault } from '../../../lib/contract/operation.ts';
import { Entry, entryOptions, entryRules } from '../../../lib/contract/parameters/entry.ts';
import { EvictionOption, StreamKey } from '../../../lib/contract/parameters/stream.ts';

/** Append entries to a stream, all or none (XADD in MULTI). */
export const xaddBatch = defineOperation({
  name: 'stream-xadd-batch',
  group: 'streams',
  summary: 'Append entries to a stream, all or none',
  description:
    'Gives the ids in the order of the entries, or `null` (204) where `noMkStream` is true and there is no stream. After a 503 or 504 all entries were added, or none.',
  input: Type.Object(
    {
      key: StreamKey,
      entries: Type.Array(Entry, {
        minItems: 1,
        maxItems: 1000,
        description: 'Entries, 1 to 1,000, each of field-value pairs.',
      }),
      noMkStream: withDefault(Type.Boolean({ description: 'true: a stream that is absent is not created.' }), false),
      evictionOption: Type.Optional(EvictionOption),
      ...entryOptions,
    },
    { allOf: entryRules((items) => ({ properties: { entries: { items } } })) },
  ),
  output: Type.Union([Type.Array(Type.String()), Type.Null()], { description: 'Ids of the new entries.' }),
  errors: ['STREAM:ARGUMENT', 'STREAM:COMMAND', 'STREAM:WRONG_TYPE'],
  example: {
    input: { key: 'orders', entries: [{ order: '1001' }, { order: '1002' }] },
    output: ['1526919030474-0', '1526919030474-1'],
  },
});
