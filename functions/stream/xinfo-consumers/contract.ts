import Type from 'typebox';
import { defineOperation } from '../../../lib/contract/operation.ts';
import { ConsumerInfo } from '../../../lib/contract/parameters/stream-info.ts';
import { AnyGroupName, StreamKey } from '../../../lib/contract/parameters/stream.ts';

/** List the consumers of a group (XINFO CONSUMERS). */
export const xinfoConsumers = defineOperation({
  name: 'stream-xinfo-consumers',
  group: 'streams',
  summary: 'List the consumers of a group',
  description: "Redis' own field names: name, pending, idle, and from 7.2 on inactive.",
  input: Type.Object({ key: StreamKey, group: AnyGroupName }),
  output: Type.Array(ConsumerInfo, { description: 'One object a consumer.' }),
  readOnly: true,
  errors: ['STREAM:ARGUMENT', 'STREAM:COMMAND', 'STREAM:WRONG_TYPE'],
  example: {
    input: { key: 'orders', group: 'billing' },
    output: [{ name: 'worker-1', pending: 1, idle: 5000, inactive: 5000 }],
  },
});
