import Type from 'typebox';
import { defineOperation, withDefault } from '../../../lib/contract/operation.ts';
import { GroupName, Integer64, LastEntryId, StreamKey } from '../../../lib/contract/parameters/stream.ts';

/** Create a consumer group (XGROUP CREATE). */
export const xgroupCreate = defineOperation({
  name: 'stream-xgroup-create',
  group: 'streams',
  summary: 'Create a consumer group',
  input: Type.Object({
    key: StreamKey,
    group: GroupName,
    lastEntryId: withDefault(LastEntryId, '$'),
    mkstream: Type.Boolean({ description: 'true: a stream that is absent is created.' }),
    entriesRead: Type.Optional(
      Integer64({
        minimum: -1,
        description: 'Number of entries already read, for accurate lag tracking; -1 is unknown.',
      }),
    ),
  }),
  output: Type.Null({ description: 'Nothing.' }),
  errors: ['STREAM:ARGUMENT', 'STREAM:COMMAND', 'STREAM:WRONG_TYPE'],
  example: { input: { key: 'orders', group: 'billing', lastEntryId: '0', mkstream: true }, output: null },
});
