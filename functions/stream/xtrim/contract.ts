import Type from 'typebox';
import { defineOperation } from '../../../lib/contract/operation.ts';
import { EvictionOption, StreamKey } from '../../../lib/contract/parameters/stream.ts';

/** Trim a stream by length or minimum id (XTRIM). */
export const xtrim = defineOperation({
  name: 'stream-xtrim',
  group: 'streams',
  summary: 'Trim a stream by length or minimum id',
  description: 'With `exactTrimming: false` fewer entries than asked may go, even none.',
  input: Type.Object({ key: StreamKey, evictionOption: EvictionOption }),
  output: Type.Integer({ description: 'Entries deleted.' }),
  errors: ['STREAM:ARGUMENT', 'STREAM:COMMAND', 'STREAM:WRONG_TYPE'],
  example: { input: { key: 'orders', evictionOption: { maxLength: 1000 } }, output: 1 },
});
