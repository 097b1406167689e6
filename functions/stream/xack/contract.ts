import Type from 'typebox';
import { defineOperation } from '#lib/contract/operation.ts';
import { EntryIds, AnyGroupName, StreamKey } from '#lib/contract/parameters/stream.ts';

export const xack = defineOperation({
  name: 'stream-xack',
  group: 'streams',
  summary: 'Acknowledge entries as processed by a group',
  input: Type.Object({ key: StreamKey, group: AnyGroupName, ids: EntryIds }),
  output: Type.Integer({ description: 'Entries acknowledged.' }),
  errors: ['STREAM:ARGUMENT', 'STREAM:COMMAND', 'STREAM:WRONG_TYPE'],
  idempotent: true,
  rights: [{ needs: ['xack'] }],
  example: { input: { key: 'orders', group: 'billing', ids: ['1526919030474-0'] }, output: 1 },
});
