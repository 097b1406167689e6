import Type from 'typebox';
import { defineOperation } from '#lib/contract/operation.ts';
import { EntriesByStream, entryOptions } from '#lib/contract/parameters/entry.ts';
import { Block, Integer64, ReadWatermarks } from '#lib/contract/parameters/stream.ts';

export const xread = defineOperation({
  name: 'stream-xread',
  group: 'streams',
  summary: 'Read entries from one or more streams, optionally blocking',
  description:
    'In a cluster, streams of several slots are read in parallel. `count` applies to each stream as always; ' +
    '`block` polls them every 50 ms until one has entries.',
  input: Type.Object({
    count: Type.Optional(Integer64({ description: 'Maximum number of entries per stream; 0 or less for no limit.' })),
    block: Type.Optional(Block),
    streamWatermarks: ReadWatermarks,
    ...entryOptions,
  }),
  output: EntriesByStream,
  readOnly: true,
  errors: ['STREAM:ARGUMENT', 'STREAM:COMMAND', 'STREAM:WRONG_TYPE'],
  rights: [
    { needs: ['xread'] },
    { when: 'of more than 128 entries', given: { count: 129 }, needs: ['xread', 'xrange'] },
    {
      when: 'with `block` and `$`',
      given: { block: 20, streamWatermarks: [{ key: 'orders', id: '$' }] },
      needs: ['eval_ro', 'xread', 'xrevrange'],
    },
  ],
  example: {
    input: { count: 10, streamWatermarks: [{ key: 'orders', id: '0' }] },
    output: { orders: [{ id: '1526919030474-0', entry: { order: '1001', status: 'paid' } }] },
  },
  narrowWith: 'count',
});
