import Type from 'typebox';
import { defineOperation } from '#lib/contract/operation.ts';
import { ConsumerInfo } from '#lib/contract/parameters/stream-info.ts';
import { AnyGroupName, StreamKey } from '#lib/contract/parameters/stream.ts';

export const xinfoConsumers = defineOperation({
  name: 'stream-xinfo-consumers',
  group: 'streams',
  summary: 'List the consumers of a group',
  description: "Redis' own field names: `name`, `pending`, `idle`, and since Redis 7.2 `inactive`.",
  input: Type.Object({ key: StreamKey, group: AnyGroupName }),
  output: Type.Array(ConsumerInfo, { description: 'One object per consumer.' }),
  readOnly: true,
  errors: ['STREAM:ARGUMENT', 'STREAM:COMMAND', 'STREAM:WRONG_TYPE'],
  rights: [{ needs: ['xinfo|consumers'] }],
  example: {
    input: { key: 'orders', group: 'billing' },
    output: [{ name: 'worker-1', pending: 1, idle: 5000, inactive: 5000 }],
  },
});
