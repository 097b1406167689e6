import Type from 'typebox';
import { BusinessEntity, RecordFields } from './mdm.ts';
import { rule } from '../operation.ts';

const text = (description: string) => Type.Optional(Type.String({ minLength: 1, maxLength: 255, description }));
/** The options are sent beside the fields, so no field may have their names. */
const reserved = { anyOf: [{ required: ['maxRecordsToReturn'] }, { required: ['searchLevel'] }] };

export const MatchedFields = {
  ...RecordFields('Fields to match, by their names in the business entity.'),
  minProperties: 1,
  allOf: [rule({ not: reserved }, 'must not have maxRecordsToReturn or searchLevel: give maxRecords, searchLevel')],
};

/** The record to find candidates for, and how. */
export const matchQuery = {
  businessEntity: BusinessEntity,
  record: MatchedFields,
  matchModel: text("The match model. Default: the business entity's own."),
  maxRecords: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 10_000,
      description: 'Maximum number of candidates. The API defaults to 100.',
    }),
  ),
  searchLevel: text('How widely to search: a level of the match model.'),
};

export type MatchQuery = Type.Static<Type.TObject<typeof matchQuery>>;
