import Type from 'typebox';
import { defineOperation } from '../../../lib/contract/operation.ts';
import { AnyGroupName, StreamKey } from '../../../lib/contract/parameters/stream.ts';

/** Destroy a consumer group (XGROUP DESTROY). */
export const xgroupDestroy = defineOperation({
  name: 'stream-xgroup-destroy',
  group: 'streams',
  summary: 'Destroy a consumer group',
  description: 'The pending entries list of the group goes with it. An absent stream has no groups: `false`.',
  input: Type.Object({ key: StreamKey, group: AnyGroupName }),
  output: Type.Boolean({ description: 'true when the group was destroyed, false when it did not exist.' }),
  errors: ['STREAM:ARGUMENT', 'STREAM:COMMAND', 'STREAM:WRONG_TYPE'],
  example: { input: { key: 'orders', group: 'billing' }, output: true },
});
