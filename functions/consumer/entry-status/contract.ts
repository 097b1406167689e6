import Type from 'typebox';
import { EntryStatusReport, SoughtIds } from '#lib/contract/parameters/entry-status.ts';
import { defineOperation } from '#lib/contract/operation.ts';
import { shardSelection } from '#lib/contract/parameters/status.ts';
import { GroupName } from '#lib/contract/parameters/stream.ts';

export const entryStatus = defineOperation({
  name: 'stream-entry-status',
  group: 'consumer',
  summary: 'Show where entries are: unread, pending, done or dead-lettered',
  description:
    'For each id: its state, attempts, next try, last failure and dead letter, from what Redis holds. Without ' +
    "`stream`, all shards of the secret's `ingest` are searched; of entries with the same id, the one that needs " +
    'most attention is shown. Dead letters are searched from the time of the oldest id on, at most 10,000 for ' +
    'each shard; if there are more, `complete` is false. It only reads.',
  input: Type.Object({
    stream: Type.Optional({
      ...shardSelection.stream,
      description: "The shard, for example `source-submit:0`. Default: the secret's shards.",
    }),
    group: Type.Optional({ ...GroupName, description: "The group. Default: the secret's." }),
    ids: SoughtIds,
  }),
  output: EntryStatusReport,
  readOnly: true,
  rights: [{ needs: 'eval_ro hget xinfo|groups xpending xrange'.split(' ') }],
  errors: ['STREAM:ARGUMENT', 'STREAM:COMMAND', 'STREAM:WRONG_TYPE'],
  narrowWith: 'ids',
  example: {
    input: { stream: 'source-submit:0', group: 'mdm', ids: ['1763642880000-0'] },
    output: {
      entries: [
        {
          id: '1763642880000-0',
          stream: 'source-submit:0',
          state: 'pending',
          attempts: 2,
          nextTryAt: '2025-11-20T12:48:05.000Z',
          lastFailure: {
            type: 'MDM:TIMEOUT',
            detail: 'The master data API did not answer in time',
            at: '2025-11-20T12:48:01.000Z',
          },
          letterId: null,
        },
      ],
      complete: true,
    },
  },
});
