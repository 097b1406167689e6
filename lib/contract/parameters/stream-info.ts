import Type from 'typebox';
import { choiceOf } from '../alternatives.ts';
import type { ExactNumber } from '../../core/json.ts';
import { DeliveredEntry } from './entry.ts';
import { withDefault } from '../operation.ts';

/** A value that Redis reports: text, or an exact integer. */
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
  additionalProperties: true,
});
export type GroupInfo = Type.Static<typeof GroupInfo>;

/** A stream as Redis describes it: at least these fields. */
export const StreamInfo = Type.Unsafe<Record<string, InfoValue | Type.Static<typeof DeliveredEntry>>>({
  type: 'object',
  properties: {
    length: { type: 'integer', description: 'Number of entries.' },
    'last-generated-id': { type: 'string', description: 'The greatest id that the stream ever had.' },
    groups: { type: 'integer', description: 'Number of groups.' },
    'first-entry': Type.Union([DeliveredEntry, Type.Null()], { description: 'Oldest entry.' }),
    'last-entry': Type.Union([DeliveredEntry, Type.Null()], { description: 'Newest entry.' }),
  },
  required: ['length', 'last-generated-id', 'groups', 'first-entry', 'last-entry'],
  additionalProperties: true,
});
export type StreamInfo = Type.Static<typeof StreamInfo>;

/** A consumer as Redis describes it: at least these fields. */
export const ConsumerInfo = Type.Unsafe<Record<string, InfoValue>>({
  type: 'object',
  properties: {
    name: { type: 'string', description: 'Consumer name.' },
    pending: { type: 'integer', description: 'Entries pending for this consumer.' },
    idle: { type: 'integer', description: 'Milliseconds since it last tried to read.' },
    inactive: { type: 'integer', description: 'Milliseconds since it last received an entry. Redis 7.2 and newer.' },
  },
  required: ['name', 'pending', 'idle'],
  additionalProperties: true,
});

const Integer = (description: string) => Type.Unsafe<number | ExactNumber>({ type: 'integer', description });

/** An entry that was delivered and not acknowledged. */
export const PendingDelivery = Type.Object({
  id: Type.String(),
  consumer: Type.String({ description: 'The consumer that it is pending for.' }),
  idleMs: Integer('Milliseconds since its last delivery.'),
  deliveries: Integer('Number of deliveries.'),
});
export type PendingDelivery = Type.Static<typeof PendingDelivery>;

export const PendingOverview = Type.Object(
  {
    count: Integer('Pending entries.'),
    minId: Type.Union([Type.String(), Type.Null()], { description: 'Lowest pending id.' }),
    maxId: Type.Union([Type.String(), Type.Null()], { description: 'Highest pending id.' }),
    consumers: Type.Array(Type.Object({ name: Type.String(), pending: Integer('Entries pending for this consumer.') })),
  },
  { description: 'Without a range: a summary.' },
);
export type PendingOverview = Type.Static<typeof PendingOverview>;

/** The pending entries of a group: those of a range, or a summary. */
export const Pending = Type.Union([
  Type.Array(PendingDelivery, { description: 'With a range: the entries.' }),
  PendingOverview,
]);

/** What happens to group references to a deleted entry. */
export const References = withDefault(
  Type.Enum(['keep', 'delete', 'acked'], {
    description:
      'What happens to group references: `keep` leaves those of other groups, `delete` removes them, and `acked` ' +
      'deletes only entries that every group has acknowledged.',
  }),
  'keep',
);

/** The same for entries that a trim removes. */
export const TrimReferences = Type.Enum(['keep', 'delete', 'acked'], {
  description:
    'What happens to group references of the entries: `keep` (the default) leaves them, `delete` removes them, ' +
    'and `acked` removes only entries that every group has read and acknowledged. Redis 8.2 and newer, but for ' +
    '`keep`.',
});

export const Deletions = Type.Array(
  Type.Object({ id: Type.String(), result: Type.Enum(['deleted', 'not-found', 'referenced']) }),
  {
    description:
      'The result for each id, in the order given. A `referenced` entry was kept because a group refers to it.',
  },
);

/** XPENDING returns a summary, or the entries of a range. */
export const summaryOrRange = choiceOf(
  [
    { name: 'PendingSummary' },
    { name: 'PendingRange', required: ['start', 'end', 'count'], optional: ['consumer', 'minIdleMs'] },
  ],
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
