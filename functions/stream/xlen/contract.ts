import Type from 'typebox';
import { defineOperation } from '#lib/contract/operation.ts';
import { StreamKey } from '#lib/contract/parameters/stream.ts';

export const xlen = defineOperation({
  name: 'stream-xlen',
  group: 'streams',
  summary: 'Count the entries of a stream',
  description: 'A missing stream has 0.',
  input: Type.Object({ key: StreamKey }),
  output: Type.Integer({ description: 'Number of entries.' }),
  readOnly: true,
  errors: ['STREAM:ARGUMENT', 'STREAM:COMMAND', 'STREAM:WRONG_TYPE'],
  rights: [{ needs: ['xlen'] }],
  example: { input: { key: 'orders' }, output: 3 },
});
