import Type from 'typebox';
import { EntryId } from './stream.ts';

const text = (description: string) => Type.String({ description });

/** Which dead letters are meant. */
export const letterFilter = {
  ids: Type.Optional(
    Type.Array(EntryId, {
      minItems: 1,
      maxItems: 1000,
      description: 'Only letters with these ids, whatever `count` is. Ids that no longer exist are ignored.',
    }),
  ),
  reason: Type.Optional(text('Only letters whose reason contains this text.')),
  errorType: Type.Optional(text('Only letters of this error type, for example `MDM:CLIENT_ERROR`.')),
  olderThanMs: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Only letters that are older than this, in milliseconds.',
    }),
  ),
};

export const Redriven = Type.Object({
  id: text('Id of the dead letter.'),
  sourceId: text('Id of the original entry in its stream.'),
  reason: text('Why the entry was given up.'),
  errorType: text('Type of its last error.'),
  deliveries: Type.Integer({ description: 'Number of deliveries.' }),
  time: text('When the entry was given up.'),
  superseded: Type.Boolean({
    description: 'Whether the letter stays because a later entry of its key was processed or waits.',
  }),
  redrivenAs: Type.Union([text('Id of the new entry.'), Type.Null()], {
    description:
      'Id of the new entry. Null if the letter stays: it was only listed, is superseded, or has no fields to put back.',
  }),
});

/** The result of a redrive. */
export const RedriveReport = Type.Object({
  redriven: Type.Integer({ description: 'Dead letters put back.' }),
  superseded: Type.Integer({
    description: 'Dead letters that stay because a later entry of their key was processed or waits.',
  }),
  remaining: Type.Integer({ description: 'Dead letters left in the stream, whether they match or not.' }),
  entries: Type.Array(Redriven, {
    description: 'The letters that were put back or listed, and the first 1,000 that stay.',
  }),
});

export type RedriveReport = Type.Static<typeof RedriveReport>;
/** A dead letter, and whether it was put back. */
export type Redriven = Type.Static<typeof Redriven>;
