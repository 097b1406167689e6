import Type from 'typebox';
import { defineOperation, withDefault } from '#lib/contract/operation.ts';
import { Claimed, entryOptions } from '#lib/contract/parameters/entry.ts';
import {
  AnyConsumerName,
  EntryIds,
  AnyGroupName,
  Integer64,
  MinIdleMs,
  StreamKey,
} from '#lib/contract/parameters/stream.ts';

export const xclaim = defineOperation({
  name: 'stream-xclaim',
  group: 'streams',
  summary: 'Claim pending entries by their ids',
  description:
    'Claims as many entries, in the order of `ids`, as fit into 6 MB; the others stay unchanged. Ids that are ' +
    'not pending, or not for `minIdleMs`, are omitted.',
  input: Type.Object({
    key: StreamKey,
    group: AnyGroupName,
    consumer: AnyConsumerName,
    minIdleMs: MinIdleMs,
    ids: EntryIds,
    idleMs: Type.Optional(Integer64({ minimum: 0, description: 'Idle time to set, in milliseconds. Default: 0.' })),
    retryCount: Type.Optional(
      Integer64({ minimum: 0, description: 'Number of deliveries to set. Default: one more than before.' }),
    ),
    force: withDefault(Type.Boolean({ description: 'With true, also claims entries that are not pending.' }), false),
    justId: withDefault(
      Type.Boolean({ description: 'With true, returns ids instead of entries, and counts no delivery.' }),
      false,
    ),
    ...entryOptions,
  }),
  output: Claimed,
  errors: ['STREAM:ARGUMENT', 'STREAM:COMMAND', 'STREAM:WRONG_TYPE'],
  idempotent: false,
  rights: [
    { needs: ['eval', 'xclaim', 'xpending', 'xrange'] },
    { when: 'with `justId`', given: { justId: true }, needs: ['xclaim'] },
  ],
  example: {
    input: { key: 'orders', group: 'billing', consumer: 'worker-2', minIdleMs: 60000, ids: ['1526919030474-0'] },
    output: [{ id: '1526919030474-0', entry: { order: '1001', status: 'paid' } }],
  },
  narrowWith: 'ids',
});
