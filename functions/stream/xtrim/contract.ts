import Type from 'typebox';
import { defineOperation } from '#lib/contract/operation.ts';
import { TrimReferences } from '#lib/contract/parameters/stream-info.ts';
import { EvictionOption, StreamKey } from '#lib/contract/parameters/stream.ts';

export const xtrim = defineOperation({
  name: 'stream-xtrim',
  group: 'streams',
  summary: 'Trim a stream by length or minimum id',
  description:
    'With `exactTrimming: false`, Redis may remove fewer entries than you asked for, or none. Without ' +
    '`references: "acked"`, entries go that no group has read yet.',
  input: Type.Object({ key: StreamKey, evictionOption: EvictionOption, references: Type.Optional(TrimReferences) }),
  output: Type.Integer({ description: 'Entries deleted.' }),
  errors: ['STREAM:ARGUMENT', 'STREAM:COMMAND', 'STREAM:WRONG_TYPE'],
  idempotent: true,
  rights: [{ needs: ['xtrim'] }],
  example: { input: { key: 'orders', evictionOption: { maxLength: 1000 } }, output: 1 },
});
