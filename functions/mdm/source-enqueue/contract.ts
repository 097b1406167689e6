import Type from 'typebox';
import { defineOperation } from '../../../lib/contract/operation.ts';
import { sourceKey, submission, Validate } from '../../../lib/contract/parameters/mdm.ts';
import { StreamKey } from '../../../lib/contract/parameters/stream.ts';

/** Put a source record on the stream that the consumer submits from. */
export const sourceEnqueue = defineOperation({
  name: 'mdm-source-enqueue',
  group: 'records',
  summary: 'Put a source record on the stream for the consumer',
  description:
    'Takes what `source-submit` takes, and responds as soon as the stream holds it. The stream is the shard of the ' +
    "record's key, `<stream>:<n>`, so that records of one key stay in order. `sourcePKey` is required: it makes a " +
    'second delivery an update.',
  input: Type.Object({
    ...submission,
    ...sourceKey,
    validate: Validate,
    stream: Type.Optional({
      ...StreamKey,
      description: "Name of the stream, without the shard. Default: the secret's.",
    }),
  }),
  output: Type.Object({
    stream: Type.String({ description: 'The shard that holds it.' }),
    id: Type.String({ description: 'Id of the entry.' }),
  }),
  errors: [
    'MDM:CLIENT_ERROR',
    'MDM:SERVER_ERROR',
    'MDM:TIMEOUT',
    'MDM:CONNECTIVITY',
    'STREAM:WRONG_TYPE',
    'STREAM:COMMAND',
  ],
  example: {
    input: {
      businessEntity: 'c360.city',
      sourceSystem: 'geonames',
      sourcePKey: '2946447',
      record: { name: 'Bonn', country: { Code: 'DE' }, population: 313125 },
    },
    output: { stream: 'source-submit:0', id: '1763642880000-0' },
  },
  deploy: { usesRedis: true, wakesConsumer: true },
});
