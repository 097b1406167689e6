import Type from 'typebox';
import { shard } from '../../../lib/contract/parameters/consumer.ts';
import { RedriveReport } from '../../../lib/contract/parameters/redrive.ts';
import { defineOperation, withDefault } from '../../../lib/contract/operation.ts';

const text = (description: string) => Type.String({ description });

/** Put dead letters back on their stream. */
export const redrive = defineOperation({
  name: 'stream-redrive',
  group: 'consumer',
  summary: 'Put dead letters back on their stream',
  description:
    'The oldest first, at the end of the stream that they came from, without their `dl-` fields; wakes the consumer. Each ' +
    'goes exactly once, even when this is interrupted; letters of other groups and streams are left alone. A letter is ' +
    'superseded, and stays, where a later entry of its key was processed or waits. Every group of the stream sees it again.',
  input: Type.Object({
    ...shard,
    count: withDefault(
      Type.Integer({
        minimum: 1,
        maximum: 10_000,
        description: 'The most to put back; fewer where the response would be over 6 MB.',
      }),
      100,
    ),
    reason: Type.Optional(text('Only those whose reason holds this text.')),
    errorType: Type.Optional(text('Only those of this error type, `MDM:CLIENT_ERROR`.')),
    olderThanMs: Type.Optional(Type.Integer({ minimum: 0, description: 'Only those given up longer ago than this.' })),
    force: withDefault(
      Type.Boolean({
        description: 'Superseded letters too, and those of a shared stream that do not say their origin.',
      }),
      false,
    ),
    dryRun: withDefault(Type.Boolean({ description: 'List them, and leave them where they are.' }), false),
  }),
  output: RedriveReport,
  errors: ['STREAM:ARGUMENT', 'STREAM:COMMAND', 'STREAM:WRONG_TYPE'],
  narrowWith: 'count',
  deploy: { wakesConsumer: true },
  example: {
    input: { stream: 'source-submit:0', group: 'mdm', errorType: 'MDM:CLIENT_ERROR' },
    output: {
      redriven: 1,
      superseded: 0,
      remaining: 0,
      entries: [
        {
          ...{ id: '1763642885000-0', sourceId: '1763642880000-0', reason: '/record must be JSON', deliveries: 1 },
          ...{ errorType: 'MDM:CLIENT_ERROR', time: '2025-11-20T12:48:05.000Z', superseded: false },
          redrivenAs: '1763643000000-0',
        },
      ],
    },
  },
});
