import Type from 'typebox';
import { defineOperation } from '../../../lib/contract/operation.ts';
import { AnyConsumerName, AnyGroupName, StreamKey } from '../../../lib/contract/parameters/stream.ts';

/** Delete a consumer of a group (XGROUP DELCONSUMER). */
export const xgroupDelconsumer = defineOperation({
  name: 'stream-xgroup-delconsumer',
  group: 'streams',
  summary: 'Delete a consumer of a group',
  description: 'What is pending for it is forgotten with it: claim that first.',
  input: Type.Object({ key: StreamKey, group: AnyGroupName, consumer: AnyConsumerName }),
  output: Type.Integer({ description: 'Entries that were pending for it.' }),
  errors: ['STREAM:ARGUMENT', 'STREAM:COMMAND', 'STREAM:WRONG_TYPE'],
  example: { input: { key: 'orders', group: 'billing', consumer: 'worker-2' }, output: 0 },
});
