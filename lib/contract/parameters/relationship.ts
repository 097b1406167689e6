import Type from 'typebox';
import { oneFormOf } from '../alternatives.ts';
import { goldenKey, ObjectInternalId, SourceSystem } from './mdm.ts';

const RelationshipId = {
  ...ObjectInternalId,
  description: 'Internal id of the relationship. `metadata-read` lists them (`resource: RELATIONSHIP`).',
};

const end = (description: string) => Type.Object(goldenKey, { additionalProperties: false, description });

const From = end('The golden record at the start of the relationship.');
const To = end('The golden record at the end of the relationship.');

const text = (description: string) => Type.Optional(Type.String({ minLength: 1, maxLength: 255, description }));

const Hierarchy = Type.Object(
  { type: text('Type of the hierarchy.'), id: text('Id of the hierarchy.') },
  { additionalProperties: false, minProperties: 1, description: 'The hierarchy that the relationship belongs to.' },
);

/** A relationship to create. */
export const newRelationship = {
  relationship: RelationshipId,
  sourceSystem: SourceSystem,
  from: From,
  to: To,
  hierarchy: Type.Optional(Hierarchy),
};

export type NewRelationship = Type.Static<Type.TObject<typeof newRelationship>>;

/** Which relationships to find. */
export const relationshipQuery = {
  relationship: RelationshipId,
  from: Type.Optional(From),
  to: Type.Optional(To),
};

export type RelationshipQuery = Type.Static<Type.TObject<typeof relationshipQuery>>;

export const oneEnd = oneFormOf(
  [
    { name: 'RelationshipFrom', required: ['from'], optional: ['to'] },
    { name: 'RelationshipTo', required: ['to'] },
  ],
  'must have from or to',
);
