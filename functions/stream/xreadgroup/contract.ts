import Type from 'typebox';
import { defineOperation, withDefault } from '#lib/contract/operation.ts';
import { EntriesByStream, entryOptions } from '#lib/contract/parameters/entry.ts';
import { Block, ConsumerName, GroupName, GroupReadWatermarks, Integer64 } from '#lib/contract/parameters/stream.ts';

const RIGHTS = ['eval', 'xinfo|groups', 'xpending', 'xrange', 'xreadgroup'];

export const xreadgroup = defineOperation({
  name: 'stream-xreadgroup',
  group: 'streams',
  summary: 'Read entries as a member of a consumer group',
  description:
    'With `>`, reads entries that no consumer of the group has received. With an id, reads the later entries that ' +
    'this consumer has received and not acknowledged; `block` and `noack` then have no effect, and each read ' +
    'counts as a delivery. Returns as many entries as fit into 6 MB, and leaves the others undelivered. If ' +
    'nothing was delivered, an entry that is too large fails the call with 413, and one that the format cannot ' +
    'hold with 422; both name its id. In a cluster, streams of several slots are read one after the other, and ' +
    '`block` polls every 50 ms.',
  input: Type.Object({
    group: GroupName,
    consumer: ConsumerName,
    count: Type.Optional(Integer64({ description: 'Maximum number of entries per stream; 0 or less for no limit.' })),
    block: Type.Optional(Block),
    noack: withDefault(
      Type.Boolean({ description: 'With true, entries count as acknowledged when they are read.' }),
      false,
    ),
    streamWatermarks: GroupReadWatermarks,
    claimMinIdleMs: Type.Optional(
      Integer64({
        minimum: 0,
        description:
          'Before new entries, claim entries that have been pending for any consumer for at least this many ' +
          'milliseconds. Only with `>`. Redis 8.4 and newer.',
      }),
    ),
    ...entryOptions,
  }),
  output: EntriesByStream,
  errors: ['STREAM:ARGUMENT', 'STREAM:COMMAND', 'STREAM:WRONG_TYPE'],
  idempotent: false,
  rights: [
    { needs: RIGHTS },
    { when: 'with `block`', given: { block: 20 }, needs: [...RIGHTS, 'xread'] },
    { when: 'with `claimMinIdleMs`', given: { claimMinIdleMs: 0 }, needs: [...RIGHTS, 'xclaim'] },
  ],
  example: {
    input: { group: 'billing', consumer: 'worker-1', count: 10, streamWatermarks: [{ key: 'orders', id: '>' }] },
    output: { orders: [{ id: '1526919030474-0', entry: { order: '1001', status: 'paid' } }] },
  },
  narrowWith: 'count',
});
