import Type from 'typebox';
import { defineOperation } from '#lib/contract/operation.ts';
import { Deletions, References } from '#lib/contract/parameters/stream-info.ts';
import { EntryIds, StreamKey } from '#lib/contract/parameters/stream.ts';

export const xdelex = defineOperation({
  name: 'stream-xdelex',
  group: 'streams',
  summary: 'Delete entries, choosing what happens to group references',
  description: 'Redis 8.2 and newer.',
  input: Type.Object({ key: StreamKey, ids: EntryIds, references: References }),
  output: Deletions,
  errors: ['STREAM:ARGUMENT', 'STREAM:COMMAND', 'STREAM:WRONG_TYPE'],
  idempotent: true,
  rights: [{ needs: ['xdelex'] }],
  sinceRedis: '8.2',
  example: {
    input: { key: 'orders', ids: ['1526919030474-0'] },
    output: [{ id: '1526919030474-0', result: 'deleted' }],
  },
});
