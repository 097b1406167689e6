import Type from 'typebox';
import { defineOperation, withDefault } from '#lib/contract/operation.ts';
import { Autoclaimed, entryOptions } from '#lib/contract/parameters/entry.ts';
import { ConsumerName, EntryId, GroupName, MinIdleMs, StreamKey } from '#lib/contract/parameters/stream.ts';

export const xautoclaim = defineOperation({
  name: 'stream-xautoclaim',
  group: 'streams',
  summary: 'Claim entries that have been pending for long',
  description:
    'Claims as many entries as fit into 6 MB; the others stay unchanged. Call again with `next` as `start` ' +
    'until `next` is `0-0`.',
  input: Type.Object({
    key: StreamKey,
    group: GroupName,
    consumer: ConsumerName,
    minIdleMs: MinIdleMs,
    start: withDefault({ ...EntryId, description: 'Where to begin: `0-0`, or `next` of the previous call.' }, '0-0'),
    count: withDefault(
      Type.Integer({ minimum: 1, maximum: 10000, description: 'Maximum number of entries to claim.' }),
      100,
    ),
    justId: withDefault(
      Type.Boolean({ description: 'With true, returns ids instead of entries, and counts no delivery.' }),
      false,
    ),
    ...entryOptions,
  }),
  output: Autoclaimed,
  errors: ['STREAM:ARGUMENT', 'STREAM:COMMAND', 'STREAM:WRONG_TYPE'],
  idempotent: false,
  rights: [
    { needs: ['eval', 'xclaim', 'xpending', 'xrange'] },
    { when: 'with `justId`', given: { justId: true }, needs: ['xautoclaim'] },
  ],
  example: {
    input: { key: 'orders', group: 'billing', consumer: 'worker-2', minIdleMs: 60000 },
    output: {
      next: '0-0',
      entries: [{ id: '1526919030474-0', entry: { order: '1001', status: 'paid' } }],
      deletedIds: [],
    },
  },
  narrowWith: 'count',
});
