import Type from 'typebox';
import { defineOperation, withDefault } from '../../../lib/contract/operation.ts';
import { EntriesByStream, entryOptions } from '../../../lib/contract/parameters/entry.ts';
import {
  Block,
  ConsumerName,
  GroupName,
  GroupReadWatermarks,
  Integer64,
} from '../../../lib/contract/parameters/stream.ts';

/** Read entries as a member of a consumer group (XREADGROUP). */
export const xreadgroup = defineOperation({
  name: 'stream-xreadgroup',
  group: 'streams',
  summary: 'Read entries as a member of a consumer group',
  description:
    'With `>` entries that no consumer of the group was given yet; with an id what this consumer was given after it ' +
    'and has not acknowledged: `block` and `noack` then mean nothing, and each read counts as a delivery. ' +
    'Gives as many entries as fit a response of 6 MB, and leaves the others undelivered. One that is too large by itself ' +
    'is a 413 with its id; one that the format cannot hold a 422. Both come only where nothing was delivered. ' +
    'In a cluster, streams of several slots are read one after the other, and `block` looks for entries every 50 ms.',
  input: Type.Object({
    group: GroupName,
    consumer: ConsumerName,
    count: Type.Optional(Integer64({ description: 'Maximum entries per stream; 0 or less is no limit.' })),
    block: Type.Optional(Block),
    noack: withDefault(Type.Boolean({ description: 'true: entries count as acknowledged when read.' }), false),
    streamWatermarks: GroupReadWatermarks,
    claimMinIdleMs: Type.Optional(
      Integer64({
        minimum: 0,
        description:
          'Take over entries that have been pending for any consumer for at least so many milliseconds, before new ' +
          'ones; only with `>`. Redis 8.4 and newer.',
      }),
    ),
    ...entryOptions,
  }),
  output: EntriesByStream,
  errors: ['STREAM:ARGUMENT', 'STREAM:COMMAND', 'STREAM:WRONG_TYPE'],
  example: {
    input: { group: 'billing', consumer: 'worker-1', count: 10, streamWatermarks: [{ key: 'orders', id: '>' }] },
    output: { orders: [{ id: '1526919030474-0', entry: { order: '1001', status: 'paid' } }] },
  },
  narrowWith: 'count',
});
