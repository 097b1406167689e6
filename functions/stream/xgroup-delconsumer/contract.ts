import Type from 'typebox';
import { defineOperation } from '#lib/contract/operation.ts';
import { AnyConsumerName, AnyGroupName, StreamKey } from '#lib/contract/parameters/stream.ts';

export const xgroupDelconsumer = defineOperation({
  name: 'stream-xgroup-delconsumer',
  group: 'streams',
  summary: 'Delete a consumer of a group',
  description: 'Its pending entries are lost with it, so claim them first.',
  input: Type.Object({ key: StreamKey, group: AnyGroupName, consumer: AnyConsumerName }),
  output: Type.Integer({ description: 'Number of entries that were pending for the consumer.' }),
  errors: ['STREAM:ARGUMENT', 'STREAM:COMMAND', 'STREAM:WRONG_TYPE'],
  idempotent: true,
  rights: [{ needs: ['xgroup|delconsumer'] }],
  example: { input: { key: 'orders', group: 'billing', consumer: 'worker-2' }, output: 0 },
});
