import Type from 'typebox';
import { defineOperation } from '#lib/contract/operation.ts';
import { Pending, summaryOrRange } from '#lib/contract/parameters/stream-info.ts';
import { AnyConsumerName, AnyGroupName, Integer64, RangeId, StreamKey } from '#lib/contract/parameters/stream.ts';

export const xpending = defineOperation({
  name: 'stream-xpending',
  group: 'streams',
  summary: 'List the pending entries of a consumer group',
  description: 'Returns a summary; with `start`, `end` and `count`, the entries of that range.',
  input: Type.Object(
    {
      key: StreamKey,
      group: AnyGroupName,
      start: Type.Optional(RangeId('-')),
      end: Type.Optional(RangeId('+')),
      count: Type.Optional(Integer64({ description: 'Maximum number of entries to return; 0 or less returns none.' })),
      consumer: Type.Optional(AnyConsumerName),
      minIdleMs: Type.Optional(
        Integer64({
          minimum: 0,
          description: 'Only entries whose last delivery is at least this many milliseconds ago.',
        }),
      ),
    },
    summaryOrRange,
  ),
  output: Pending,
  readOnly: true,
  errors: ['STREAM:ARGUMENT', 'STREAM:COMMAND', 'STREAM:WRONG_TYPE'],
  rights: [{ needs: ['xpending'] }],
  example: {
    input: { key: 'orders', group: 'billing', start: '-', end: '+', count: 10 },
    output: [{ id: '1526919030474-0', consumer: 'worker-1', idleMs: 5000, deliveries: 1 }],
  },
  narrowWith: 'count',
});
