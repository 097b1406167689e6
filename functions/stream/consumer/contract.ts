import Type from 'typebox';
import { RunReport, runSettings, shards, withoutDefaults } from '../../../lib/contract/parameters/consumer.ts';
import { defineOperation } from '../../../lib/contract/operation.ts';

/** Carry the entries of a stream to their target. */
export const consumer = defineOperation({
  name: 'stream-consumer',
  group: 'consumer',
  summary: 'Carry the entries of a stream to the MDM, or to another Lambda',
  description:
    'One run over one shard or several: entries reach the target at least once and in the order of their key. Those ' +
    'that can never succeed, or failed too often, become dead letters. Without `stream` the `ingest` part of the secret ' +
    'says what to do, and its `ingest.consumer` holds any of the settings. Meant for a schedule; runs may work side by ' +
    'side, and one that finds all shards taken ends at once.',
  input: Type.Object({ ...shards, ...withoutDefaults(runSettings) }),
  output: RunReport,
  errors: ['STREAM:ARGUMENT', 'STREAM:COMMAND', 'STREAM:WRONG_TYPE'],
  example: {
    input: { stream: 'source-submit', shards: 16, group: 'mdm' },
    output: {
      ...{ read: 1000, processed: 998, failed: 0, deadLettered: 2, recovered: 0, deleted: 0, groupsCreated: 0 },
      ...{ pending: 0, lag: 0, oldestPendingMs: 0, stoppedBecause: 'drained' },
    },
  },
  deploy: { http: false, scheduled: true, timeoutSeconds: 60, invokesTargets: true, wakesConsumer: true },
});
