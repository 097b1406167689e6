import Type from 'typebox';
import { defineOperation } from '#lib/contract/operation.ts';
import { EntriesById, entryOptions } from '#lib/contract/parameters/entry.ts';
import { Integer64, RangeId, StreamKey } from '#lib/contract/parameters/stream.ts';

export const xrange = defineOperation({
  name: 'stream-xrange',
  group: 'streams',
  summary: 'Read a range of entries',
  description: 'A missing stream reads as empty. A response over 6 MB fails with 413.',
  input: Type.Object({
    key: StreamKey,
    start: RangeId('-'),
    end: RangeId('+'),
    count: Type.Optional(Integer64({ description: 'Maximum number of entries to return; 0 or less returns none.' })),
    ...entryOptions,
  }),
  output: EntriesById,
  readOnly: true,
  errors: ['STREAM:ARGUMENT', 'STREAM:COMMAND', 'STREAM:WRONG_TYPE'],
  rights: [{ needs: ['xrange'] }],
  example: {
    input: { key: 'orders', start: '-', end: '+', count: 10 },
    output: { '1526919030474-0': { order: '1001', status: 'paid' } },
  },
  narrowWith: 'count',
});
