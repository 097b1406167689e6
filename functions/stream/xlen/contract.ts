import Type from 'typebox';
import { defineOperation } from '../../../lib/contract/operation.ts';
import { StreamKey } from '../../../lib/contract/parameters/stream.ts';

/** Count the entries of a stream (XLEN). */
export const xlen = defineOperation({
  name: 'stream-xlen',
  group: 'streams',
  summary: 'Count the entries of a stream',
  description: 'An absent stream has none.',
  input: Type.Object({ key: StreamKey }),
  output: Type.Integer({ description: 'Entries of the stream.' }),
  readOnly: true,
  errors: ['STREAM:ARGUMENT', 'STREAM:COMMAND', 'STREAM:WRONG_TYPE'],
  example: { input: { key: 'orders' }, output: 3 },
});
