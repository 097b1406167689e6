import Type from 'typebox';
import { oneFormOf } from '../alternatives.ts';
import { rule } from '../operation.ts';
import { goldenKey, ObjectInternalId, RecordFields, responseOf, SourceSystem } from './mdm.ts';

const RelationshipId = {
  ...ObjectInternalId,
  'x-names': 'entity',
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

/** Ends are sent beside the attributes, so no attribute may have their names. */
const ends = { anyOf: [{ required: ['_from'] }, { required: ['_to'] }] };

export const RelationshipAttributes = {
  ...RecordFields("The relationship's own attributes, by their names in the data model."),
  allOf: [rule({ not: ends }, 'must not have _from or _to: give from and to')],
};

/** A relationship to create. */
export const newRelationship = {
  relationship: RelationshipId,
  sourceSystem: SourceSystem,
  from: From,
  to: To,
  hierarchy: Type.Optional(Hierarchy),
  attributes: Type.Optional(RelationshipAttributes),
};

export type NewRelationship = Type.Static<Type.TObject<typeof newRelationship>>;

/** One relationship. */
export const relationshipKey = {
  relationship: RelationshipId,
  id: { ...ObjectInternalId, description: 'Id of the relationship, as `relationship-create` and `-search` name it.' },
};

export type RelationshipKey = Type.Static<Type.TObject<typeof relationshipKey>>;

/** The new state of a relationship. */
export const relationshipChange = {
  ...relationshipKey,
  sourceSystem: Type.Optional(SourceSystem),
  from: Type.Optional(From),
  to: Type.Optional(To),
  attributes: RelationshipAttributes,
};

export type RelationshipChange = Type.Static<Type.TObject<typeof relationshipChange>>;

/** What is known of a relationship. */
export const RelationshipOutput = responseOf(
  RecordFields('The relationship with its ends and attributes, as the API returns it.'),
  { id: Type.Optional(Type.String({ description: 'Id of the relationship, if the API names it.' })) },
);

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
