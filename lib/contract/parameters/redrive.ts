import Type from 'typebox';

const text = (description: string) => Type.String({ description });
const Redriven = Type.Object({
  id: text('Id of the dead letter.'),
  sourceId: text('Id that the entry had in its stream.'),
  reason: text('What was wrong with it.'),
  errorType: text('Type of the error it failed with last.'),
  deliveries: Type.Integer({ description: 'How often it was delivered.' }),
  time: text('When it was given up.'),
  superseded: Type.Boolean({
    description: 'Whether it stays because a later entry of its key was processed or waits.',
  }),
  redrivenAs: Type.Union([text('Its new id.'), Type.Null()], {
    description: 'Null where it stays: only listed, superseded, or without fields that could go back.',
  }),
});

/** What a redrive did, and what it left. */
export const RedriveReport = Type.Object({
  redriven: Type.Integer({ description: 'Dead letters put back.' }),
  superseded: Type.Integer({ description: 'Letters that stay because their key went on without them.' }),
  remaining: Type.Integer({ description: 'Dead letters left, whether they match or not.' }),
  entries: Type.Array(Redriven, {
    description: 'Those put back, or listed, and the first 1,000 of those that stay.',
  }),
});

export type RedriveReport = Type.Static<typeof RedriveReport>;
/** A dead letter, and what became of it. */
export type Redriven = Type.Static<typeof Redriven>;
