import Type from 'typebox';
import { defineOperation, withDefault } from '../../../lib/operation/contract.ts';
import { GroupName, LastEntryId, StreamKey } from '../../../lib/operation/stream-parameters.ts';

const integer = (minimum: number, maximum: number, value: number, description: string) =>
  withDefault(Type.Integer({ minimum, maximum, description }), value);
const count = (description: string) => Type.Integer({ description });

/** Carry the entries of a stream to their target. */
export const consumer = defineOperation({
  name: 'stream-consumer',
  summary: 'Carry the entries of a stream to the MDM, or to another Lambda',
  description:
    'One run over one shard: entries reach the target at least once and in the order of their key. Those that can ' +
    'never succeed, or failed too often, become dead letters. Meant for a schedule; a second run at a time ends at once.',
  input: Type.Object({
    stream: { ...StreamKey, minLength: 1, description: 'The shard, `source-submit:0`.' },
    group: GroupName,
    target: withDefault(
      Type.String({
        pattern: '^[A-Za-z0-9_:$-]{1,170}$',
        description: '`source-submit`, or the name or ARN of a Lambda.',
        'x-message': 'must be source-submit, or the name or ARN of a Lambda',
      }),
      'source-submit',
    ),
    batchSize: integer(1, 5000, 100, 'Entries a read.'),
    concurrency: integer(1, 1000, 10, 'Entries at the target at a time.'),
    maxDeliveries: integer(1, 1000, 5, 'Deliveries after which a failure makes a dead letter. Outages never do.'),
    maxAgeMs: Type.Optional(
      Type.Integer({ minimum: 1, description: 'Age after which any failure makes a dead letter.' }),
    ),
    backoffMs: integer(1, 900_000, 1000, 'Rest after the first delivery; doubled with each, up to a minute.'),
    leaseMs: integer(1000, 30_000, 15_000, 'How long a crashed run keeps others out.'),
    deadLetterStream: Type.Optional({ ...StreamKey, minLength: 1, description: 'Default: `{<stream>}:dead:<group>`.' }),
    startId: withDefault({ ...LastEntryId, description: 'Where a group begins that does not exist yet.' }, '0'),
    trim: withDefault(
      Type.Boolean({ description: 'Drop entries that all groups of the stream are done with.' }),
      false,
    ),
  }),
  output: Type.Object({
    read: count('New entries delivered.'),
    processed: count('Entries that the target took.'),
    failed: count('Attempts that failed and leave their entry pending.'),
    deadLettered: count('Entries given up.'),
    recovered: count('Pending entries of earlier runs taken up again.'),
    deleted: count('Pending entries whose body had been deleted.'),
    groupsCreated: count('Groups that had to be made.'),
    pending: count('Entries pending now.'),
    lag: Type.Union([count('Entries not yet delivered.'), Type.Null()]),
    oldestPendingMs: count('Age of the oldest pending entry, 0 where none is.'),
    stoppedBecause: Type.String({ description: 'drained, deadline, lease-held, lease-lost, upstream-unavailable, …' }),
  }),
  errors: ['STREAM:ARGUMENT', 'STREAM:COMMAND', 'STREAM:WRONG_TYPE'],
  example: {
    input: { stream: 'source-submit:0', group: 'mdm' },
    output: {
      ...{ read: 1000, processed: 998, failed: 0, deadLettered: 2, recovered: 0, deleted: 0, groupsCreated: 0 },
      ...{ pending: 0, lag: 0, oldestPendingMs: 0, stoppedBecause: 'drained' },
    },
  },
  deploy: { http: false, scheduled: true, timeoutSeconds: 60, memoryMb: 512, invokesLambda: true },
});
