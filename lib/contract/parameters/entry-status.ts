import Type from 'typebox';
import { LastFailure } from './consumer.ts';
import { EntryId } from './stream.ts';

const orNull = (type: Type.TString, description: string) => Type.Union([type, Type.Null()], { description });
const { type, detail, at } = LastFailure.properties;

/** The ids to look for. */
export const SoughtIds = Type.Array(EntryId, {
  minItems: 1,
  maxItems: 100,
  description: 'Ids of entries, as an enqueue returned them.',
});

/** The state of an entry in a group. */
export const EntryStatus = Type.Object({
  id: EntryId,
  stream: orNull(Type.String(), 'The shard that knows it; null if none does.'),
  state: Type.Enum(['unread', 'pending', 'done', 'dead-letter', 'unknown'], {
    description:
      '`unread`: no run has read it; `pending`: it is in progress, or waits for another try or for an earlier ' +
      'entry of its key; `done`: it was processed; `dead-letter`: it was given up; `unknown`: the stream does not ' +
      'have it (any more).',
  }),
  attempts: Type.Integer({ description: 'Attempts so far, as far as Redis knows them; 0 for a processed entry.' }),
  nextTryAt: orNull(Type.String(), 'When it is due for another try; null if it does not wait for one.'),
  lastFailure: Type.Union([Type.Object({ type, detail, at }), Type.Null()], {
    description: 'Its last failure, or why it became a dead letter; null if there is none, or it is not known.',
  }),
  letterId: orNull(Type.String(), 'The id of its dead letter.'),
});
export type EntryStatus = Type.Static<typeof EntryStatus>;

export const EntryStatusReport = Type.Object({
  entries: Type.Array(EntryStatus, { description: 'The entries, in the order of `ids`.' }),
  complete: Type.Boolean({
    description: 'False if there were too many dead letters to search, so that `done` and `unknown` are not certain.',
  }),
});
export type EntryStatusReport = Type.Static<typeof EntryStatusReport>;
