import Type from 'typebox';
import { choiceOf } from '../alternatives.ts';
import type { ExactNumber } from '../../core/json.ts';
import { StreamEntry } from './entry.ts';
import { withDefault } from '../operation.ts';

/** A value that Redis reports: text, or an integer with all its digits. */
export type InfoValue = string | number | ExactNumber | null;

/** A consumer group as Redis describes it: at least these fields, more in newer versions. */
export const GroupInfo = Type.Unsafe<Record<string, InfoValue>>({
  type: 'object',
  properties: {
    name: { type: 'string', description: 'Group name.' },
    consumers: { type: 'integer', description: 'Number of consumers in the group.' },
    pending: { type: 'integer', description: 'Entries pending acknowledgement.' },
    'last-delivered-id': { type: 'string', description: 'Id of the last entry delivered to a consumer.' },
    'entries-read': { type: ['integer', 'null'], description: 'Entries read by the group.' },
    lag: { type: ['integer', 'null'], description: 'Entries in the stream not yet delivered.' },
  },
  required: ['name', 'consumers', 'pending', 'last-delivered-id', 'entries-read', 'lag'],
});
export type GroupInfo = Type.Static<typeof GroupInfo>;

/** What Redis reports of a stream: at least these fields. */
export const StreamInfo = Type.Unsafe<Record<string, InfoValue | Type.Static<typeof StreamEntry>>>({
  type: 'object',
  properties: {
    length: { type: 'integer', description: 'Entries of the stream.' },
    'last-generated-id': { type: 'string', description: 'The greatest id it ever had.' },
    groups: { type: 'integer', description: 'Number of groups.' },
    'first-entry': Type.Union([StreamEntry, Type.Null()], { description: 'Oldest entry.' }),
    'last-entry': Type.Union([StreamEntry, Type.Null()], { description: 'Newest entry.' }),
  },
  required: ['length', 'last-generated-id', 'groups', 'first-entry', 'last-entry'],
});
export type StreamInfo = Type.Static<typeof StreamInfo>;

/** What Redis reports of a consumer: at least these fields. */
export const ConsumerInfo = Type.Unsafe<Record<string, InfoValue>>({
  type: 'object',
  properties: {
    name: { type: 'string', description: 'Consumer name.' },
    pending: { type: 'integer', description: 'Entries pending for it.' },
    idle: { type: 'integer', description: 'Milliseconds since its last attempt to read.' },
    inactive: { type: 'integer', description: 'Milliseconds since it last got an entry; from Redis 7.2 on.' },
  },
  required: ['name', 'pending', 'idle'],
});

const Integer = (description: string) => Type.Unsafe<number | ExactNumber>({ type: 'integer', description });

/** An entry that was delivered and not acknowledged. */
const PendingDelivery = Type.Object({
  id: Type.String(),
  consumer: Type.String({ description: 'Whom it is pending for.' }),
  idleMs: Integer('Milliseconds since its last delivery.'),
  deliveries: Integer('How often it was delivered.'),
});
export type PendingDelivery = Type.Static<typeof PendingDelivery>;

const PendingOverview = Type.Object(
  {
    count: Integer('Entries pending.'),
    minId: Type.Union([Type.String(), Type.Null()], { description: 'Lowest id pending.' }),
    maxId: Type.Union([Type.String(), Type.Null()], { description: 'Highest id pending.' }),
    consumers: Type.Array(Type.Object({ name: Type.String(), pending: Integer('Entries pending for it.') })),
  },
  { description: 'Without a range: a summary.' },
);
export type PendingOverview = Type.Static<typeof PendingOverview>;

/** What is pending in a group: the entries of a range, or a summary. */
export const Pending = Type.Union([
  Type.Array(PendingDelivery, { description: 'With a range: the entries.' }),
  PendingOverview,
]);

/** What happens to an entry that groups refer to. */
export const References = withDefault(
  Type.Enum(['keep', 'delete', 'acked'], {
    description:
      '`keep` leaves references in other groups as they are, `delete` removes them, `acked` deletes only entries that ' +
      'every group has acknowledged.',
  }),
  'keep',
);

export const Deletions = Type.Array(
  Type.Object({ id: Type.String(), result: Type.Enum(['deleted', 'not-found', 'referenced']) }),
  { description: 'What became of each id, in the order given; `referenced` was kept for a group.' },
);

/** Of XPENDING: a summary, or the entries of a range. */
export const summaryOrRange = choiceOf(
  [{}, { required: ['start', 'end', 'count'], optional: ['consumer', 'minIdleMs'] }],
  [
    {
      dependentRequired: {
        start: ['end', 'count'],
        end: ['start', 'count'],
        count: ['start', 'end'],
        consumer: ['start'],
        minIdleMs: ['start'],
      },
    },
  ],
);
