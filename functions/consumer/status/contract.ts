import Type from 'typebox';
import { shard } from '#lib/contract/parameters/consumer.ts';
import { defineOperation } from '#lib/contract/operation.ts';
import { GroupStatus, shardSelection } from '#lib/contract/parameters/status.ts';
import { GroupName } from '#lib/contract/parameters/stream.ts';

export const status = defineOperation({
  name: 'stream-status',
  group: 'consumer',
  summary: 'Show the status of the consumer, by shard',
  description:
    'Shows backlog, ages, runs, circuit breaker and dead letters of each shard, by default those of the ' +
    "secret's `ingest`. It only reads.",
  input: Type.Object({
    ...shardSelection,
    group: Type.Optional({
      ...GroupName,
      description: "The group. Default: all groups of `stream`; without `stream`, the secret's group.",
    }),
    deadLetterStream: shard.deadLetterStream,
  }),
  output: Type.Array(GroupStatus, {
    description: 'A row for each shard and group. If you ask for all groups, a stream without groups has no row.',
  }),
  readOnly: true,
  errors: ['STREAM:ARGUMENT', 'STREAM:COMMAND', 'STREAM:WRONG_TYPE'],
  narrowWith: 'shards',
  rights: [{ needs: 'eval_ro exists get hget hscan pttl time xinfo|groups xlen xpending xrange xrevrange'.split(' ') }],
  example: {
    input: { stream: 'source-submit', shards: 1, group: 'mdm' },
    output: [
      {
        stream: 'source-submit:0',
        group: 'mdm',
        groupExists: true,
        length: 5120,
        lag: 120,
        pending: 10,
        oldestPendingMs: 800,
        oldestUnreadMs: 450,
        run: 'active',
        pausedUntil: null,
        breaker: 'closed',
        restMs: 0,
        lastFailure: {
          type: 'MDM:TIMEOUT',
          detail: 'The master data API did not answer in time',
          target: 'source-submit',
          at: '2025-11-20T12:00:00.000Z',
          entries: 3,
        },
        nextTryAt: '2025-11-20T12:00:04.000Z',
        ratePerSecond: null,
        clockAheadMs: null,
        deadLetters: [{ errorType: 'MDM:CLIENT_ERROR', reason: '/record must be JSON', count: 2 }],
      },
    ],
  },
});
