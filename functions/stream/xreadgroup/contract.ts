import Type from 'typebox';
import { defineOperation, withDefault } from '../../../lib/contract/operation.ts';
import * as parameters from '../../../lib/contract/stream-parameters.ts';

const { Block, ConsumerName, EntriesByStream, GroupName, GroupReadWatermarks, Integer64 } = parameters;

/** Read entries as a member of a consumer group (XREADGROUP). */
export const xreadgroup = defineOperation({
  name: 'stream-xreadgroup',
  summary: 'Read entries as a member of a consumer group',
  description:
    'With `>` entries that no consumer of the group was given yet; with an id what this consumer was given after it ' +
    'and has not acknowledged: `block` and `noack` then mean nothing, and each read counts as a delivery. ' +
    'What an answer over 6 MB was refused with stays pending for this consumer. ' +
    'In a cluster, streams of several slots are asked side by side: `count` holds for each stream as always, `block` ' +
    'waits until one of them has entries, which it looks for every 50 ms, and where one of them fails, what others ' +
    'delivered stays pending for this consumer.',
  input: Type.Object({
    group: GroupName,
    consumer: ConsumerName,
    count: Type.Optional(Integer64({ description: 'Maximum entries per stream; 0 or less is no limit.' })),
    block: Type.Optional(Block),
    noack: withDefault(Type.Boolean({ description: 'true: entries count as acknowledged when read.' }), false),
    streamWatermarks: GroupReadWatermarks,
  }),
  output: EntriesByStream,
  errors: ['STREAM:ARGUMENT', 'STREAM:COMMAND', 'STREAM:WRONG_TYPE'],
  example: {
    input: { group: 'billing', consumer: 'worker-1', count: 10, streamWatermarks: [{ key: 'orders', id: '>' }] },
    output: { orders: [{ id: '1526919030474-0', entry: { order: '1001', status: 'paid' } }] },
  },
  narrowWith: 'count',
});
