import Type from 'typebox';
import { defineOperation } from '../../../lib/contract/operation.ts';
import { EntriesByStream, entryOptions } from '../../../lib/contract/parameters/entry.ts';
import { Block, Integer64, ReadWatermarks } from '../../../lib/contract/parameters/stream.ts';

/** Read entries from one or more streams (XREAD). */
export const xread = defineOperation({
  name: 'stream-xread',
  group: 'streams',
  summary: 'Read entries from one or more streams, optionally blocking',
  description:
    'In a cluster, streams of several slots are asked side by side: `count` holds for each stream as always, and ' +
    '`block` waits until one of them has entries, which it looks for every 50 ms.',
  input: Type.Object({
    count: Type.Optional(Integer64({ description: 'Maximum entries per stream; 0 or less is no limit.' })),
    block: Type.Optional(Block),
    streamWatermarks: ReadWatermarks,
    ...entryOptions,
  }),
  output: EntriesByStream,
  readOnly: true,
  errors: ['STREAM:ARGUMENT', 'STREAM:COMMAND', 'STREAM:WRONG_TYPE'],
  example: {
    input: { count: 10, streamWatermarks: [{ key: 'orders', id: '0' }] },
    output: { orders: [{ id: '1526919030474-0', entry: { order: '1001', status: 'paid' } }] },
  },
  narrowWith: 'count',
});
