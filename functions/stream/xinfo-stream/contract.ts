import Type from 'typebox';
import { defineOperation } from '#lib/contract/operation.ts';
import { entryOptions } from '#lib/contract/parameters/entry.ts';
import { StreamInfo } from '#lib/contract/parameters/stream-info.ts';
import { StreamKey } from '#lib/contract/parameters/stream.ts';

export const xinfoStream = defineOperation({
  name: 'stream-xinfo-stream',
  group: 'streams',
  summary: 'Describe a stream',
  description: "Redis' own field names. Newer servers report more.",
  input: Type.Object({ key: StreamKey, ...entryOptions }),
  output: StreamInfo,
  readOnly: true,
  errors: ['STREAM:ARGUMENT', 'STREAM:COMMAND', 'STREAM:WRONG_TYPE'],
  rights: [{ needs: ['xinfo|stream'] }],
  example: {
    input: { key: 'orders' },
    output: {
      length: 1,
      'last-generated-id': '1526919030474-0',
      groups: 1,
      'first-entry': { id: '1526919030474-0', entry: { order: '1001' } },
      'last-entry': { id: '1526919030474-0', entry: { order: '1001' } },
    },
  },
});
