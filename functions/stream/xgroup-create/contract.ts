import Type from 'typebox';
import { defineOperation, withDefault } from '#lib/contract/operation.ts';
import { EntriesRead, GroupName, LastEntryId, StreamKey } from '#lib/contract/parameters/stream.ts';

export const xgroupCreate = defineOperation({
  name: 'stream-xgroup-create',
  group: 'streams',
  summary: 'Create a consumer group',
  input: Type.Object({
    key: StreamKey,
    group: GroupName,
    lastEntryId: withDefault(LastEntryId, '$'),
    mkstream: Type.Boolean({ description: 'With true, a missing stream is created.' }),
    entriesRead: EntriesRead,
  }),
  output: Type.Null({ description: 'Nothing.' }),
  errors: ['STREAM:ARGUMENT', 'STREAM:COMMAND', 'STREAM:WRONG_TYPE'],
  idempotent: true,
  rights: [{ needs: ['xgroup|create'] }],
  example: { input: { key: 'orders', group: 'billing', lastEntryId: '0', mkstream: true }, output: null },
});
