import Type from 'typebox';
import { shard } from '../../../lib/contract/consumer-parameters.ts';
import { defineOperation, withDefault } from '../../../lib/contract/operation.ts';

const text = (description: string) => Type.String({ description });
const Redriven = Type.Object({
  id: text('Id of the dead letter.'),
  sourceId: text('Id that the entry had in its stream.'),
  reason: text('What was wrong with it.'),
  errorType: text('Type of the error it failed with last.'),
  deliveries: Type.Integer({ description: 'How often it was delivered.' }),
  time: text('When it was given up.'),
  redrivenAs: Type.Union([text('Its new id.'), Type.Null()], { description: 'Null where it was only listed.' }),
});

/** Put dead letters back on their stream. */
export const redrive = defineOperation({
  name: 'stream-redrive',
  summary: 'Put dead letters back on their stream',
  description:
    'The oldest first, at the end of the stream, without their `dl-` fields. Each goes exactly once, even when this is ' +
    'interrupted. Every group of the stream sees them again.',
  input: Type.Object({
    ...shard,
    count: withDefault(Type.Integer({ minimum: 1, maximum: 10_000, description: 'The most to put back.' }), 100),
    reason: Type.Optional(text('Only those whose reason holds this text.')),
    errorType: Type.Optional(text('Only those of this error type, `MDM:CLIENT_ERROR`.')),
    olderThanMs: Type.Optional(Type.Integer({ minimum: 0, description: 'Only those given up longer ago than this.' })),
    dryRun: withDefault(Type.Boolean({ description: 'List them, and leave them where they are.' }), false),
  }),
  output: Type.Object({
    redriven: Type.Integer({ description: 'Dead letters put back.' }),
    remaining: Type.Integer({ description: 'Dead letters left, whether they match or not.' }),
    entries: Type.Array(Redriven, { description: 'Those put back, or listed.' }),
  }),
  errors: ['STREAM:ARGUMENT', 'STREAM:COMMAND', 'STREAM:WRONG_TYPE'],
  narrowWith: 'count',
  example: {
    input: { stream: 'source-submit:0', group: 'mdm', errorType: 'MDM:CLIENT_ERROR' },
    output: {
      redriven: 1,
      remaining: 0,
      entries: [
        {
          ...{ id: '1763642885000-0', sourceId: '1763642880000-0', reason: '/record must be JSON', deliveries: 1 },
          ...{ errorType: 'MDM:CLIENT_ERROR', time: '2025-11-20T12:48:05.000Z', redrivenAs: '1763643000000-0' },
        },
      ],
    },
  },
});
