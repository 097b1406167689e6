import Type from 'typebox';
import { defineOperation } from '#lib/contract/operation.ts';
import { EntryIds, StreamKey } from '#lib/contract/parameters/stream.ts';

export const xdel = defineOperation({
  name: 'stream-xdel',
  group: 'streams',
  summary: 'Delete entries',
  description: 'An entry that is pending in a group stays in its pending entries list, where its body reads as `null`.',
  input: Type.Object({ key: StreamKey, ids: EntryIds }),
  output: Type.Integer({ description: 'Entries deleted.' }),
  errors: ['STREAM:ARGUMENT', 'STREAM:COMMAND', 'STREAM:WRONG_TYPE'],
  idempotent: true,
  rights: [{ needs: ['xdel'] }],
  example: { input: { key: 'orders', ids: ['1526919030474-0'] }, output: 1 },
});
