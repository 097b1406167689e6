import Type from 'typebox';
import { defineOperation } from '../../../lib/contract/operation.ts';
import { GroupName, Integer64, SetEntryId, StreamKey } from '../../../lib/contract/parameters/stream.ts';

/** Set the last entry that a group has seen (XGROUP SETID). */
export const xgroupSetid = defineOperation({
  name: 'stream-xgroup-setid',
  group: 'streams',
  summary: 'Set the last entry that a group has seen',
  description: 'Entries after it will be delivered (again); what is pending stays so.',
  input: Type.Object({
    key: StreamKey,
    group: GroupName,
    lastEntryId: SetEntryId,
    entriesRead: Type.Optional(
      Integer64({
        minimum: -1,
        description: 'Number of entries already read, for accurate lag tracking; -1 is unknown.',
      }),
    ),
  }),
  output: Type.Null({ description: 'Nothing.' }),
  errors: ['STREAM:ARGUMENT', 'STREAM:COMMAND', 'STREAM:WRONG_TYPE'],
  example: { input: { key: 'orders', group: 'billing', lastEntryId: '0' }, output: null },
});
