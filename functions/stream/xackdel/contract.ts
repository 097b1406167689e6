import Type from 'typebox';
import { defineOperation } from '#lib/contract/operation.ts';
import { Deletions, References } from '#lib/contract/parameters/stream-info.ts';
import { EntryIds, GroupName, StreamKey } from '#lib/contract/parameters/stream.ts';

export const xackdel = defineOperation({
  name: 'stream-xackdel',
  group: 'streams',
  summary: 'Acknowledge entries and delete them, in one step',
  description: 'Redis 8.2 and newer.',
  input: Type.Object({ key: StreamKey, group: GroupName, ids: EntryIds, references: References }),
  output: Deletions,
  errors: ['STREAM:ARGUMENT', 'STREAM:COMMAND', 'STREAM:WRONG_TYPE'],
  idempotent: true,
  rights: [{ needs: ['xackdel'] }],
  sinceRedis: '8.2',
  example: {
    input: { key: 'orders', group: 'billing', ids: ['1526919030474-0'] },
    output: [{ id: '1526919030474-0', result: 'deleted' }],
  },
});
