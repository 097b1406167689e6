import Type from 'typebox';
import { defineOperation, withDefault } from '#lib/contract/operation.ts';
import { EntriesById, entryOptions } from '#lib/contract/parameters/entry.ts';
import { Integer64, RangeId, StreamKey } from '#lib/contract/parameters/stream.ts';

export const xrevrange = defineOperation({
  name: 'stream-xrevrange',
  group: 'streams',
  summary: 'Read a range of entries, newest first',
  description:
    '`start` is the low end and `end` the high end, as in `stream-xrange`. A response over 6 MB fails with 413.',
  input: Type.Object({
    key: StreamKey,
    start: withDefault(RangeId('-'), '-'),
    end: withDefault(RangeId('+'), '+'),
    count: Type.Optional(Integer64({ description: 'Maximum number of entries to return; 0 or less returns none.' })),
    ...entryOptions,
  }),
  output: EntriesById,
  readOnly: true,
  errors: ['STREAM:ARGUMENT', 'STREAM:COMMAND', 'STREAM:WRONG_TYPE'],
  rights: [{ needs: ['xrevrange'] }],
  example: { input: { key: 'orders', count: 1 }, output: { '1526919030474-0': { order: '1001', status: 'paid' } } },
  narrowWith: 'count',
});
