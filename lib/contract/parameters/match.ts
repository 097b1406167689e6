import Type from 'typebox';
import { BusinessEntity, RecordFields } from './mdm.ts';
import { rule } from '../operation.ts';

const text = (description: string) => Type.Optional(Type.String({ minLength: 1, maxLength: 255, description }));
/** The options travel beside the fields, so these names are theirs. */
const reserved = { anyOf: [{ required: ['maxRecordsToReturn'] }, { required: ['searchLevel'] }] };

/** What to find candidates for, and how. */
export const matchQuery = {
  businessEntity: BusinessEntity,
  record: {
    ...RecordFields('Fields to match, as the business entity names them.'),
    minProperties: 1,
    allOf: [rule({ not: reserved }, 'must not have maxRecordsToReturn or searchLevel: give maxRecords, searchLevel')],
  },
  matchModel: text('The match model; without it, the one of the business entity.'),
  maxRecords: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 10_000, description: 'Most candidates; 100 by the API.' }),
  ),
  searchLevel: text('How widely to search, as the match model names it.'),
};

export type MatchQuery = Type.Static<Type.TObject<typeof matchQuery>>;
