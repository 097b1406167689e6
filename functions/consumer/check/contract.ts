import Type from 'typebox';
import { CheckReport, FailOn } from '#lib/contract/parameters/check.ts';
import { defineOperation } from '#lib/contract/operation.ts';
import { shardSelection } from '#lib/contract/parameters/status.ts';
import { GroupName } from '#lib/contract/parameters/stream.ts';

export const streamCheck = defineOperation({
  name: 'stream-check',
  group: 'consumer',
  summary: 'Check Redis, the rights of its user, and the consumer, step by step',
  description:
    'Checks the secret, the connection, the server, its memory and clock, the rights of the user, and the ' +
    "consumer's streams, backlog, circuit breaker and dead letters. It only reads. Over HTTP a failed check is a " +
    '200 with `ok: false`; a direct or scheduled invocation fails with `CONNECTOR:CHECK`, so that an alarm can ' +
    'watch it.',
  input: Type.Object({
    stream: Type.Optional({
      ...shardSelection.stream,
      description: "The shard, for example `source-submit:0`. Default: the secret's shards.",
    }),
    group: Type.Optional({ ...GroupName, description: "The group. Default: the secret's; with `stream`, all groups." }),
    failOn: FailOn,
  }),
  output: CheckReport,
  readOnly: true,
  rights: [
    {
      needs:
        'acl|dryrun eval_ro exists get hget hscan info pttl time xinfo|groups xlen xpending xrange xrevrange'.split(
          ' ',
        ),
    },
  ],
  errors: ['STREAM:ARGUMENT', 'STREAM:COMMAND', 'STREAM:WRONG_TYPE', 'CONNECTOR:CHECK'],
  example: {
    input: {},
    output: {
      ok: true,
      checks: [
        { name: 'secret', status: 'passed', ms: 12, detail: 'Valid: standalone at redis.example.com:6379, with TLS' },
        {
          name: 'connection',
          status: 'passed',
          ms: 9,
          detail: 'Connected to redis.example.com:6379 as the user functions',
        },
        { name: 'server', status: 'passed', ms: 1, detail: 'Redis 7.0.15, standalone, master' },
        {
          name: 'memory',
          status: 'warning',
          ms: 0,
          detail: '410 MB used of 500 MB (82 %); maxmemory-policy noeviction',
          hint: 'Trim streams, or use a larger server: when memory is full, no entry can be added',
        },
      ],
    },
  },
});
