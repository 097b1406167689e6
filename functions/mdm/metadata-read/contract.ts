import Type from 'typebox';
import { defineOperation, rule } from '../../../lib/contract/operation.ts';
import { AnyJson, responseOf, ObjectInternalId } from '../../../lib/contract/mdm-parameters.ts';

const NEED_AN_ID = ['BUSINESS_ENTITY', 'REFERENCE_ENTITY', 'VIEW', 'EXTERNAL_RESOURCE'] as const;
const RESOURCES = ['DATAMODEL', ...NEED_AN_ID, 'RELATIONSHIP'] as const;

const whereResourceIs = (names: readonly string[]) => ({
  properties: { resource: { enum: names } },
  required: ['resource'],
});

/** Read metadata. */
export const metadataRead = defineOperation({
  name: 'mdm-metadata-read',
  summary: 'Read the data model, an entity, a relationship or other metadata',
  description:
    'A data model can exceed the 6 MB of an answer; over HTTP it travels gzipped. `business-entities`, ' +
    '`source-systems` and `record-schema` give the parts of it that are asked for most.',
  input: Type.Object(
    {
      resource: Type.Enum([...RESOURCES], { description: 'What to read.' }),
      objectInternalId: Type.Optional(ObjectInternalId),
      name: Type.Optional(Type.String({ minLength: 1, description: 'Only what has this name.' })),
    },
    {
      allOf: [
        rule(
          { if: whereResourceIs(NEED_AN_ID), then: { required: ['objectInternalId'] } },
          'must have objectInternalId for this resource',
        ),
        rule(
          { if: whereResourceIs(['DATAMODEL', 'RELATIONSHIP']), then: { not: { required: ['objectInternalId'] } } },
          'must not have objectInternalId: DATAMODEL and RELATIONSHIP are one resource',
        ),
      ],
    },
  ),
  output: responseOf(AnyJson('The metadata, as the API returns it.'), {
    resource: Type.String({ description: 'As asked for.' }),
    objectInternalId: Type.Optional(Type.String({ description: 'As asked for.' })),
  }),
  readOnly: true,
  errors: ['MDM:CLIENT_ERROR', 'MDM:SERVER_ERROR', 'MDM:TIMEOUT', 'MDM:CONNECTIVITY'],
  narrowWith: 'resource',
  example: {
    input: { resource: 'BUSINESS_ENTITY', objectInternalId: 'c360.city' },
    output: {
      payload: { guid: 'c360.city', name: 'City', field: [] },
      attributes: { resource: 'BUSINESS_ENTITY', objectInternalId: 'c360.city', statusCode: 200, requestId: 'req-20' },
    },
  },
});
