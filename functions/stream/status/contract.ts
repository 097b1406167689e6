import Type from 'typebox';
import { shard } from '../../../lib/contract/parameters/consumer.ts';
import { defineOperation } from '../../../lib/contract/operation.ts';
import { GroupStatus, scope } from '../../../lib/contract/parameters/status.ts';
import { GroupName } from '../../../lib/contract/parameters/stream.ts';

/** Where the consumer stands. */
export const status = defineOperation({
  name: 'stream-status',
  group: 'consumer',
  summary: 'Show where the consumer stands, by shard',
  description:
    'Backlog, ages, runs, circuit breaker and dead letters of each shard. Without parameters it is about the stream, ' +
    "shards and group of the secret's `ingest`. Reads only.",
  input: Type.Object({
    ...scope,
    group: Type.Optional({
      ...GroupName,
      description: "The group. Default: all groups of `stream`; without stream, the secret's.",
    }),
    deadLetterStream: shard.deadLetterStream,
  }),
  output: Type.Array(GroupStatus, {
    description: 'A row for each shard and group; none for a stream without groups that was asked for all.',
  }),
  readOnly: true,
  errors: ['STREAM:ARGUMENT', 'STREAM:COMMAND', 'STREAM:WRONG_TYPE'],
  narrowWith: 'shards',
  example: {
    input: { stream: 'source-submit', shards: 1, group: 'mdm' },
    output: [
      {
        ...{ stream: 'source-submit:0', group: 'mdm', length: 5120, lag: 120, pending: 10 },
        ...{
          oldestPendingMs: 800,
          oldestUnreadMs: 450,
          run: 'active',
          pausedUntil: null,
          breaker: 'closed',
          restMs: 0,
        },
        deadLetters: [{ errorType: 'MDM:CLIENT_ERROR', reason: '/record must be JSON', count: 2 }],
      },
    ],
  },
});
