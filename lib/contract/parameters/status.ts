import Type from 'typebox';
import { exactlyOneOf } from '../alternatives.ts';
import { GroupName, StreamKey } from './stream.ts';

/** Which shards and group an operation on the consumer is about. */
export const scope = {
  stream: Type.Optional({
    ...StreamKey,
    minLength: 1,
    description: "A shard, `source-submit:0`; with `shards`, the name before the number. Default: the secret's.",
  }),
  shards: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1024,
      description: "Number of shards. Default, without stream: the secret's.",
    }),
  ),
};

/** The same, as a type. */
export type Scope = Type.Static<Type.TObject<typeof scope>>;

const EITHER = { none: 'must have either forMs or resume', several: 'has both forMs and resume: give one of them' };

/** A pause, or the end of one. */
export const pauseOrResume = exactlyOneOf([['forMs'], ['resume']], EITHER);

const milliseconds = (description: string) =>
  Type.Union([Type.Integer(), Type.Null()], { description: `${description}, milliseconds; null where none is.` });

const DeadLetterCount = Type.Object({
  errorType: Type.String({ description: 'Type of the error that made them dead letters.' }),
  reason: Type.String({ description: 'What was wrong with them.' }),
  count: Type.Integer({ description: 'How many.' }),
});

/** Where a group of a shard stands. */
export const GroupStatus = Type.Object({
  stream: Type.String({ description: 'The shard.' }),
  group: GroupName,
  length: Type.Integer({ description: 'Entries in the stream, those processed included until they are trimmed.' }),
  lag: Type.Union([Type.Integer(), Type.Null()], {
    description: 'Entries not yet read by the group; null where Redis does not know.',
  }),
  pending: Type.Integer({ description: 'Entries read and not yet acknowledged.' }),
  oldestPendingMs: milliseconds('Age of the oldest pending entry'),
  oldestUnreadMs: milliseconds('Age of the oldest entry not yet read'),
  run: Type.Enum(['idle', 'active', 'paused'], { description: 'Whether a run is active, or all are paused.' }),
  pausedUntil: Type.Union([Type.String(), Type.Null()], {
    description: 'When the pause ends; null without one, or where its end is not known.',
  }),
  breaker: Type.Enum(['closed', 'open', 'half-open'], {
    description: 'closed: the target is called; open: it rests; half-open: the next run probes it.',
  }),
  restMs: Type.Integer({ description: 'How long the target rests still, milliseconds; 0 where it does not.' }),
  deadLetters: Type.Array(DeadLetterCount, {
    description: 'The latest 10,000 by type and reason, the 20 most frequent first; the rest as `(other reasons)`.',
  }),
});

export type GroupStatus = Type.Static<typeof GroupStatus>;
export type DeadLetterCount = Type.Static<typeof DeadLetterCount>;
