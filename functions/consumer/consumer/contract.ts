import Type from 'typebox';
import { RunReport, runSettings, shards, withoutDefaults } from '#lib/contract/parameters/consumer.ts';
import { defineOperation } from '#lib/contract/operation.ts';

export const consumer = defineOperation({
  name: 'stream-consumer',
  group: 'consumer',
  summary: 'Carry the entries of a stream to the MDM, or to another Lambda',
  description:
    'One run over one or more shards. Each entry reaches the target at least once, in the order of its key. ' +
    'Entries that can never succeed, or that failed too often, become dead letters. Without `stream`, the run ' +
    'works on the `ingest` of the secret, with the settings of `ingest.consumer`. Put it on a schedule. Several ' +
    'runs may work side by side; a run that finds all shards taken ends at once.',
  input: Type.Object({ ...shards, ...withoutDefaults(runSettings) }),
  output: RunReport,
  errors: ['STREAM:ARGUMENT', 'STREAM:COMMAND', 'STREAM:WRONG_TYPE'],
  idempotent: true,
  rights: [
    {
      needs: (
        'del eval evalsha exists get hdel hexists hget hincrby hlen hmget hscan hset hsetnx pexpire set ' +
        'time xack xadd xclaim xdel xgroup|create xinfo|groups xlen xpending xrange xreadgroup xtrim'
      ).split(' '),
    },
  ],
  example: {
    input: { stream: 'source-submit', shards: 16, group: 'mdm' },
    output: {
      read: 1000,
      processed: 998,
      failed: 0,
      deadLettered: 2,
      recovered: 0,
      deleted: 0,
      groupsCreated: 0,
      pending: 0,
      lag: 0,
      oldestPendingMs: 0,
      stoppedBecause: 'drained',
    },
  },
  deploy: { http: false, scheduled: true, timeoutSeconds: 60, invokesTargets: true, wakesConsumer: true },
});
