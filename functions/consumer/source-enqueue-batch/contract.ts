import Type from 'typebox';
import { fromNobody } from '#lib/contract/known-from.ts';
import { defineOperation } from '#lib/contract/operation.ts';
import { ValidateAll } from '#lib/contract/parameters/mdm.ts';
import { changeBatch, Enqueued, IdempotencyKey } from '#lib/contract/parameters/source.ts';

export const sourceEnqueueBatch = defineOperation({
  name: 'mdm-source-enqueue-batch',
  group: 'records',
  summary: "Put up to 500 changes of source records on the consumer's stream",
  description:
    'Like `source-enqueue`, with many changes in one call. All records are checked before any is sent. The ' +
    'records of a shard are written all or none. If a shard fails, `errors` of STREAM:COMMAND names every record ' +
    'that may not have been written. You may send all of them again: a second delivery is an update.',
  input: Type.Object({ ...changeBatch, validate: ValidateAll, idempotencyKey: IdempotencyKey }),
  output: Type.Object({
    ids: Type.Array(Enqueued, { description: 'Shard and entry id of each record, in the order given.' }),
  }),
  errors: ['MDM:CLIENT_ERROR', 'MDM:SERVER_ERROR', 'MDM:TIMEOUT', 'MDM:CONNECTIVITY', 'STREAM:COMMAND'],
  idempotent: true,
  rights: [
    { needs: ['del', 'eval', 'exec', 'exists', 'multi', 'set', 'xadd'] },
    { when: 'with `idempotencyKey`', needs: ['eval', 'get', 'set', 'xadd'] },
    { when: 'with `ingest.maxLag`', needs: ['eval', 'exists', 'xadd', 'xinfo|groups', 'xlen'] },
  ],
  knownFrom: {
    carried: fromNobody(
      'The call itself does not reach the API. What the consumer then does is known as of `source-submit`, ' +
        '`source-replace` and `source-delete`.',
    ),
  },
  example: {
    input: {
      businessEntity: 'c360.city',
      sourceSystem: 'geonames',
      records: [
        { sourcePKey: '2946447', record: { name: 'Bonn', country: { Code: 'DE' }, population: 313125 } },
        { sourcePKey: '2886242', record: { name: 'Cologne', country: { Code: 'DE' }, population: 963395 } },
      ],
    },
    output: {
      ids: [
        { stream: 'source-submit:7', id: '1763642880000-0' },
        { stream: 'source-submit:12', id: '1763642880000-0' },
      ],
    },
  },
  deploy: { usesRedis: true, wakesConsumer: true },
});
