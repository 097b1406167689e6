import Type from 'typebox';
import { defineOperation } from '../../../lib/contract/operation.ts';
import { MetadataOutput, metadataQuery, metadataRules } from '../../../lib/contract/metadata-parameters.ts';

/** Read metadata. */
export const metadataRead = defineOperation({
  name: 'mdm-metadata-read',
  summary: 'Read the data model, an entity, a relationship or other metadata',
  description:
<<<<<<< HEAD
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
=======
    'A data model can exceed the 6 MB of a response; over HTTP it travels gzipped. `business-entities`, ' +
    '`source-systems` and `record-schema` give the parts of it that are asked for most. Relationships come in pages: ' +
    '`allPages` returns them all in one `content`.',
  input: Type.Object(metadataQuery, metadataRules),
  output: MetadataOutput,
>>>>>>> 0351fc9 (mdm: bytes in http-request, paged relationships, data models as tenants write them; a sandbox that groups records)
  errors: ['MDM:CLIENT_ERROR', 'MDM:SERVER_ERROR', 'MDM:TIMEOUT', 'MDM:CONNECTIVITY'],
  narrowWith: 'resource',
  example: {
    input: { resource: 'RELATIONSHIP', pageSize: 1000 },
    output: {
      payload: {
        content: [{ guid: 'c360.livesIn', name: 'Lives in', from: 'c360.person', to: 'c360.city' }],
        size: 1000,
        number: 0,
        last: true,
      },
      attributes: { resource: 'RELATIONSHIP', statusCode: 200, requestId: 'req-20' },
    },
  },
});
