import Type from 'typebox';
import { defineOperation } from '#lib/contract/operation.ts';
import { GroupInfo } from '#lib/contract/parameters/stream-info.ts';
import { StreamKey } from '#lib/contract/parameters/stream.ts';

export const xinfoGroups = defineOperation({
  name: 'stream-xinfo-groups',
  group: 'streams',
  summary: 'List the consumer groups of a stream',
  description:
    '`lag` and `entries-read` are null if Redis does not know them. After XTRIM or XDEL, some versions report a ' +
    'wrong lag.',
  input: Type.Object({ key: StreamKey }),
  output: Type.Array(GroupInfo, { description: 'One object per group.' }),
  readOnly: true,
  errors: ['STREAM:ARGUMENT', 'STREAM:COMMAND', 'STREAM:WRONG_TYPE'],
  rights: [{ needs: ['xinfo|groups'] }],
  example: {
    input: { key: 'orders' },
    output: [
      {
        name: 'billing',
        consumers: 1,
        pending: 1,
        'last-delivered-id': '1526919030474-0',
        'entries-read': 1,
        lag: 0,
      },
    ],
  },
});
