import Type from 'typebox';
import { shard } from '#lib/contract/parameters/consumer.ts';
import { letterFilter, RedriveReport } from '#lib/contract/parameters/redrive.ts';
import { defineOperation, withDefault } from '#lib/contract/operation.ts';

export const redrive = defineOperation({
  name: 'stream-redrive',
  group: 'consumer',
  summary: 'Put dead letters back on their stream',
  description:
    'Puts the oldest letters first, at the end of the stream that they came from, without their `dl-` fields, and ' +
    'wakes the consumer. Each letter goes back exactly once, even if the call is interrupted. Letters of other ' +
    'groups and streams stay. A letter is superseded, and stays, if a later entry of its key was processed or ' +
    'waits. Every group of the stream receives the entry again.',
  input: Type.Object({
    ...shard,
    count: withDefault(
      Type.Integer({
        minimum: 1,
        maximum: 10_000,
        description: 'Maximum number of letters to put back; fewer if the response would exceed 6 MB.',
      }),
      100,
    ),
    ...letterFilter,
    force: withDefault(
      Type.Boolean({
        description: 'Put back superseded letters too, and letters of a shared stream that do not name their origin.',
      }),
      false,
    ),
    dryRun: withDefault(Type.Boolean({ description: 'List the letters without moving them.' }), false),
  }),
  output: RedriveReport,
  errors: ['STREAM:ARGUMENT', 'STREAM:COMMAND', 'STREAM:WRONG_TYPE'],
  idempotent: false,
  narrowWith: 'count',
  deploy: { wakesConsumer: true },
  rights: [
    { needs: 'del eval exists hdel hexists hget hlen hmget hscan hset hsetnx set xadd xdel xlen xrange'.split(' ') },
    { when: 'without `force`', needs: ['xinfo|groups', 'xpending'] },
    { when: 'with `olderThanMs`', needs: ['time'] },
  ],
  example: {
    input: { stream: 'source-submit:0', group: 'mdm', errorType: 'MDM:CLIENT_ERROR' },
    output: {
      redriven: 1,
      superseded: 0,
      remaining: 0,
      entries: [
        {
          id: '1763642885000-0',
          sourceId: '1763642880000-0',
          reason: '/record must be JSON',
          deliveries: 1,
          errorType: 'MDM:CLIENT_ERROR',
          time: '2025-11-20T12:48:05.000Z',
          superseded: false,
          redrivenAs: '1763643000000-0',
        },
      ],
    },
  },
});
