import Type from 'typebox';
import { defineOperation } from '#lib/contract/operation.ts';
import { AnyGroupName, StreamKey } from '#lib/contract/parameters/stream.ts';

export const xgroupDestroy = defineOperation({
  name: 'stream-xgroup-destroy',
  group: 'streams',
  summary: 'Destroy a consumer group',
  description: "Also deletes the group's pending entries list. Returns `false` for a missing stream.",
  input: Type.Object({ key: StreamKey, group: AnyGroupName }),
  output: Type.Boolean({ description: 'true if the group was destroyed, false if it did not exist.' }),
  errors: ['STREAM:ARGUMENT', 'STREAM:COMMAND', 'STREAM:WRONG_TYPE'],
  idempotent: true,
  rights: [{ needs: ['xgroup|destroy'] }],
  example: { input: { key: 'orders', group: 'billing' }, output: true },
});
