import Type from 'typebox';
import { withDefault } from './operation.ts';
import { GroupName, LastEntryId, StreamKey } from './stream-parameters.ts';

const integer = (minimum: number, maximum: number, value: number, description: string) =>
  withDefault(Type.Integer({ minimum, maximum, description }), value);
const count = (description: string) => Type.Integer({ description });

/** The shard and the group, of a run and of a redrive alike. */
export const shard = {
  stream: { ...StreamKey, minLength: 1, description: 'The shard, `source-submit:0`.' },
  group: GroupName,
  deadLetterStream: Type.Optional({
    ...StreamKey,
    minLength: 1,
    description: 'Where dead letters are. Default: `{<stream>}:dead:<group>`.',
  }),
};

/** Where entries go. */
export const TargetName = Type.String({
  pattern: '^[A-Za-z0-9_:$-]{1,170}$',
  description: '`source-submit`, or the name or ARN of a Lambda.',
  'x-message': 'must be source-submit, or the name or ARN of a Lambda',
});

/** How a run works. */
export const runSettings = {
  batchSize: integer(1, 5000, 100, 'Entries per read.'),
  concurrency: integer(1, 1000, 10, 'Entries sent to the target at the same time.'),
  maxDeliveries: integer(1, 1000, 5, 'Deliveries after which a failure makes a dead letter. Outages never do.'),
  maxAgeMs: Type.Optional(
    Type.Integer({ minimum: 1, description: 'Age after which any failure makes a dead letter, milliseconds.' }),
  ),
  backoffMs: integer(
    1,
    900_000,
    1000,
    'Rest after the first delivery, milliseconds; doubled with each, up to a minute.',
  ),
  leaseMs: integer(1000, 30_000, 15_000, 'How long a crashed run keeps others out, milliseconds.'),
  startId: withDefault({ ...LastEntryId, description: 'Where a group begins that does not exist yet.' }, '0'),
  trim: withDefault(
    Type.Boolean({ description: 'Delete entries that every group of the stream has processed.' }),
    false,
  ),
};

/** What a run did, and where it leaves its group. */
export const RunReport = Type.Object({
  read: count('New entries delivered.'),
  processed: count('Entries that the target took.'),
  failed: count('Attempts that failed and leave their entry pending.'),
  deadLettered: count('Entries given up.'),
  recovered: count('Pending entries of earlier runs taken up again.'),
  deleted: count('Pending entries whose body had been deleted.'),
  groupsCreated: count('Groups that had to be made.'),
  pending: count('Entries pending now.'),
  lag: Type.Union([Type.Integer(), Type.Null()], {
    description: 'Entries not yet delivered; null where Redis does not know.',
  }),
  oldestPendingMs: count('Age of the oldest pending entry in milliseconds, 0 where none is.'),
  stoppedBecause: Type.String({
    description:
      'drained, deadline, lease-held, lease-lost, upstream-unavailable, backpressure or group-destroyed; ' +
      'docs/consumer.md says what each means.',
  }),
});
