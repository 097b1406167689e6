import Type from 'typebox';
import { AnyJson, Count, ObjectInternalId, responseOf } from './mdm.ts';
import { choiceOf } from '../alternatives.ts';
import { rule, withDefault } from '../operation.ts';

const NEED_AN_ID = ['BUSINESS_ENTITY', 'REFERENCE_ENTITY', 'VIEW', 'EXTERNAL_RESOURCE'] as const;
const RESOURCES = ['DATAMODEL', ...NEED_AN_ID, 'RELATIONSHIP'] as const;

/** The metadata to read. */
export const metadataQuery = {
  resource: Type.Enum([...RESOURCES], { description: 'Kind of metadata to read.' }),
  objectInternalId: Type.Optional(ObjectInternalId),
  name: Type.Optional(Type.String({ minLength: 1, description: 'Only objects with this name.' })),
  pageSize: Type.Optional(Count(1, 'For RELATIONSHIP: objects per page.')),
  pageOffset: Type.Optional(Count(0, 'For RELATIONSHIP: page number, from 0.')),
  allPages: withDefault(Type.Boolean({ description: 'For RELATIONSHIP: read all pages.' }), false),
};

export type MetadataQuery = Type.Static<Type.TObject<typeof metadataQuery>>;

const whereResourceIs = (names: readonly string[]) => ({
  properties: { resource: { enum: names } },
  required: ['resource'],
});
const isPaged = {
  anyOf: [
    { required: ['pageSize'] },
    { required: ['pageOffset'] },
    { properties: { allPages: { const: true } }, required: ['allPages'] },
  ],
};

const isNotPaged = { allPages: { type: 'boolean', const: false, default: false } };

export const metadataRules = choiceOf(
  [
    { name: 'MetadataOfModel', narrowed: { resource: { enum: ['DATAMODEL'] }, ...isNotPaged } },
    {
      name: 'MetadataOfObject',
      required: ['objectInternalId'],
      narrowed: { resource: { enum: [...NEED_AN_ID] }, ...isNotPaged },
    },
    {
      name: 'MetadataOfRelationships',
      optional: ['pageSize', 'pageOffset'],
      narrowed: { resource: { enum: ['RELATIONSHIP'] } },
    },
  ],
  [
    rule(
      { if: whereResourceIs(NEED_AN_ID), then: { required: ['objectInternalId'] } },
      'must have objectInternalId for this resource',
    ),
    rule(
      { if: whereResourceIs(['DATAMODEL', 'RELATIONSHIP']), then: { not: { required: ['objectInternalId'] } } },
      'must not have objectInternalId: DATAMODEL and RELATIONSHIP are single resources',
    ),
    rule(
      { if: whereResourceIs(['DATAMODEL', ...NEED_AN_ID]), then: { not: isPaged } },
      'must not have allPages, pageSize or pageOffset: only RELATIONSHIP is paged',
    ),
  ],
);

export const MetadataOutput = responseOf(AnyJson('The metadata, as the API returns it.'), {
  resource: Type.String({ description: 'From the request.' }),
  objectInternalId: Type.Optional(Type.String({ description: 'From the request.' })),
  complete: Type.Optional(
    Type.Boolean({ description: 'With `allPages`: false if the read stopped early, at 6 MB or the deadline.' }),
  ),
});

export type MetadataResponse = Type.Static<typeof MetadataOutput>;
