import Type from 'typebox';
import { defineOperation } from '../../../lib/contract/operation.ts';
import { submissionBatch } from '../../../lib/contract/parameters/mdm.ts';

const Enqueued = Type.Object({
  stream: Type.String({ description: 'The shard that holds it.' }),
  id: Type.String({ description: 'Id of the entry.' }),
});

/** Put many source records on the stream that the consumer submits from. */
export const sourceEnqueueBatch = defineOperation({
  name: 'mdm-source-enqueue-batch',
  group: 'records',
  summary: 'Put up to 500 source records on the stream for the consumer',
  description:
    'As `source-enqueue`, many in one call. All are checked before any is sent. The records of a shard are written all ' +
    'or none; where a shard fails, `errors` of STREAM:COMMAND names every record that is not known to be written. ' +
    'Sending all of them again is harmless: a second delivery is an update.',
  input: Type.Object(submissionBatch),
  output: Type.Object({ ids: Type.Array(Enqueued, { description: 'Where each record is, in the order given.' }) }),
  errors: ['MDM:CLIENT_ERROR', 'MDM:SERVER_ERROR', 'MDM:TIMEOUT', 'MDM:CONNECTIVITY', 'STREAM:COMMAND'],
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
