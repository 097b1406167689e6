import Type from 'typebox';
import { fromNobody } from '#lib/contract/known-from.ts';
import { defineOperation } from '#lib/contract/operation.ts';
import { exampleKey, Validate } from '#lib/contract/parameters/mdm.ts';
import { Enqueued, formOfChange, IdempotencyKey, sourceChange } from '#lib/contract/parameters/source.ts';
import { StreamKey } from '#lib/contract/parameters/stream.ts';

export const sourceEnqueue = defineOperation({
  name: 'mdm-source-enqueue',
  group: 'records',
  summary: "Put a change of a source record on the consumer's stream",
  description:
    'Takes the parameters of `source-submit`, `source-replace` or `source-delete`, and responds as soon as the ' +
    'stream holds the change. It goes to the shard of its key, `<stream>:<n>`, so that changes with the same key ' +
    'stay in order. `sourcePKey` is required, because it makes a second delivery harmless.',
  input: Type.Object(
    {
      ...sourceChange,
      validate: Validate,
      idempotencyKey: IdempotencyKey,
      stream: Type.Optional({
        ...StreamKey,
        description: "Name of the stream, without the shard. Default: the secret's.",
      }),
    },
    formOfChange,
  ),
  output: Enqueued,
  errors: [
    'MDM:CLIENT_ERROR',
    'MDM:SERVER_ERROR',
    'MDM:TIMEOUT',
    'MDM:CONNECTIVITY',
    'STREAM:WRONG_TYPE',
    'STREAM:COMMAND',
  ],
  idempotent: true,
  rights: [
    { needs: ['del', 'eval', 'exists', 'set', 'xadd'] },
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
      ...exampleKey,
      record: { name: 'Bonn', country: { Code: 'DE' }, population: 313125 },
    },
    output: { stream: 'source-submit:0', id: '1763642880000-0' },
  },
  deploy: { usesRedis: true, wakesConsumer: true },
});
