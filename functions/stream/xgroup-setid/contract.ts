import Type from 'typebox';
import { defineOperation } from '#lib/contract/operation.ts';
import { EntriesRead, GroupName, SetEntryId, StreamKey } from '#lib/contract/parameters/stream.ts';

export const xgroupSetid = defineOperation({
  name: 'stream-xgroup-setid',
  group: 'streams',
  summary: 'Set the last entry that a group has seen',
  description: 'The group receives the entries after this id, again if necessary. Pending entries stay pending.',
  input: Type.Object({
    key: StreamKey,
    group: GroupName,
    lastEntryId: SetEntryId,
    entriesRead: EntriesRead,
  }),
  output: Type.Null({ description: 'Nothing.' }),
  errors: ['STREAM:ARGUMENT', 'STREAM:COMMAND', 'STREAM:WRONG_TYPE'],
  idempotent: false,
  rights: [{ needs: ['xgroup|setid'] }],
  example: { input: { key: 'orders', group: 'billing', lastEntryId: '0' }, output: null },
});
