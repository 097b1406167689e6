import Type from 'typebox';
import { defineOperation } from '#lib/contract/operation.ts';
import { ConsumerName, GroupName, StreamKey } from '#lib/contract/parameters/stream.ts';

export const xgroupCreateconsumer = defineOperation({
  name: 'stream-xgroup-createconsumer',
  group: 'streams',
  summary: 'Create a consumer in a group',
  input: Type.Object({ key: StreamKey, group: GroupName, consumer: ConsumerName }),
  output: Type.Boolean({ description: 'true if the consumer was created, false if it existed.' }),
  errors: ['STREAM:ARGUMENT', 'STREAM:COMMAND', 'STREAM:WRONG_TYPE'],
  idempotent: true,
  rights: [{ needs: ['xgroup|createconsumer'] }],
  example: { input: { key: 'orders', group: 'billing', consumer: 'worker-2' }, output: true },
});
