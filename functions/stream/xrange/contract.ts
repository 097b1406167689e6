import Type from 'typebox';
import { defineOperation } from '../../../lib/contract/operation.ts';
import { EntriesById, entryOptions } from '../../../lib/contract/parameters/entry.ts';
import { Integer64, RangeId, StreamKey } from '../../../lib/contract/parameters/stream.ts';

/** Read a range of entries (XRANGE). */
export const xrange = defineOperation({
  name: 'stream-xrange',
  group: 'streams',
  summary: 'Read a range of entries',
  description: 'An absent stream reads as empty. Over 6 MB it is refused with 413.',
  input: Type.Object({
    key: StreamKey,
    start: RangeId('-'),
    end: RangeId('+'),
    count: Type.Optional(Integer64({ description: 'Maximum entries returned; 0 or less returns none.' })),
    ...entryOptions,
  }),
  output: EntriesById,
  readOnly: true,
  errors: ['STREAM:ARGUMENT', 'STREAM:COMMAND', 'STREAM:WRONG_TYPE'],
  example: {
    input: { key: 'orders', start: '-', end: '+', count: 10 },
    output: { '1526919030474-0': { order: '1001', status: 'paid' } },
  },
  narrowWith: 'count',
});
