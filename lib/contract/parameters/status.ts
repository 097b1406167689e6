import Type from 'typebox';
import { exactlyOneOf } from '../alternatives.ts';
import { MAX_SHARDS } from '../max-shards.ts';
import { LastFailure } from './consumer.ts';
import { GroupName, StreamKey } from './stream.ts';

/** The shards that an operation on the consumer works on. */
export const shardSelection = {
  stream: Type.Optional({
    ...StreamKey,
    'x-names': 'shards',
    minLength: 1,
    description:
      "The shard, for example `source-submit:0`; with `shards`, the name before the number. Default: the secret's.",
  }),
  shards: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_SHARDS,
      description: "Number of shards. Without `stream`, the default is the secret's.",
    }),
  ),
};

/** The same, as a type. */
export type ShardSelection = Type.Static<Type.TObject<typeof shardSelection>>;

const EITHER = { none: 'must have either forMs or resume', several: 'has both forMs and resume: give one of them' };

/** A pause, or the end of one. */
export const pauseOrResume = exactlyOneOf({ PauseFor: ['forMs'], Resume: ['resume'] }, EITHER);

const milliseconds = (description: string) =>
  Type.Union([Type.Integer(), Type.Null()], { description: `${description}, in milliseconds; null if there is none.` });

export const DeadLetterCount = Type.Object({
  errorType: Type.String({ description: 'Type of their last error.' }),
  reason: Type.String({ description: 'Why they were given up.' }),
  count: Type.Integer({ description: 'Number of letters.' }),
});

/** The status of a group in a shard. */
export const GroupStatus = Type.Object({
  stream: Type.String({ description: 'The shard.' }),
  group: GroupName,
  groupExists: Type.Boolean({
    description: "Whether the shard has this group. The first run of the group's consumer creates it.",
  }),
  length: Type.Integer({ description: 'Entries in the stream, including processed ones that are not trimmed yet.' }),
  lag: Type.Union([Type.Integer(), Type.Null()], {
    description: 'Entries that the group has not read yet; null if Redis does not know.',
  }),
  pending: Type.Integer({ description: 'Entries read and not yet acknowledged.' }),
  oldestPendingMs: milliseconds('Age of the oldest pending entry'),
  oldestUnreadMs: milliseconds('Age of the oldest unread entry'),
  run: Type.Enum(['idle', 'active', 'paused'], {
    description: '`active`: a run holds the lease; `idle`: no run does; `paused`: an operator paused the group.',
  }),
  pausedUntil: Type.Union([Type.String(), Type.Null()], {
    description: 'When the pause ends; null without a pause, or if its end is unknown.',
  }),
  breaker: Type.Enum(['closed', 'open', 'half-open'], {
    description: '`closed`: the target is called; `open`: it rests; `half-open`: the next run probes it.',
  }),
  lastFailure: Type.Union([LastFailure, Type.Null()], {
    description: 'The newest failure whose entry has not succeeded since; null without one.',
  }),
  nextTryAt: Type.Union([Type.String(), Type.Null()], {
    description: 'When the next of the failed entries is due for another try; null without one.',
  }),
  restMs: Type.Integer({ description: 'Remaining rest of the target, in milliseconds; 0 without a rest.' }),
  ratePerSecond: Type.Union([Type.Integer(), Type.Null()], {
    description: 'Limit of calls to the target per second, from the runs of the last 15 minutes; null without a limit.',
  }),
  clockAheadMs: Type.Union([Type.Integer(), Type.Null()], {
    description:
      "How far the function's clock is ahead of that of Redis, in milliseconds; null up to 5 s, or if Redis does not " +
      'tell. Ages and times are by the clock of Redis.',
  }),
  deadLetters: Type.Array(DeadLetterCount, {
    description:
      'The latest 10,000 letters by type and reason: the 20 most frequent, then the others as `(other reasons)`.',
  }),
});

export type GroupStatus = Type.Static<typeof GroupStatus>;
export type DeadLetterCount = Type.Static<typeof DeadLetterCount>;
