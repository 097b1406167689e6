import Type from 'typebox';
import { defineOperation, withDefault } from '../../../lib/contract/operation.ts';
import { EntriesById, entryOptions } from '../../../lib/contract/parameters/entry.ts';
import { Integer64, RangeId, StreamKey } from '../../../lib/contract/parameters/stream.ts';

/** Read a range of entries, newest first (XREVRANGE). */
export const xrevrange = defineOperation({
  name: 'stream-xrevrange',
  group: 'streams',
  summary: 'Read a range of entries, newest first',
  description:
    '`start` is the low end and `end` the high one, as with `stream-xrange`. Over 6 MB it is refused with 413.',
  input: Type.Object({
    key: StreamKey,
    start: withDefault(RangeId('-'), '-'),
    end: withDefault(RangeId('+'), '+'),
    count: Type.Optional(Integer64({ description: 'Maximum entries returned; 0 or less returns none.' })),
    ...entryOptions,
  }),
  output: EntriesById,
  readOnly: true,
  errors: ['STREAM:ARGUMENT', 'STREAM:COMMAND', 'STREAM:WRONG_TYPE'],
  example: { input: { key: 'orders', count: 1 }, output: { '1526919030474-0': { order: '1001', status: 'paid' } } },
  narrowWith: 'count',
});
