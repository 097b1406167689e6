import Type from 'typebox';
import { fromClients, fromVendor } from '#lib/contract/known-from.ts';
import { defineOperation } from '#lib/contract/operation.ts';
import { MetadataOutput, metadataQuery, metadataRules } from '#lib/contract/parameters/metadata.ts';

export const metadataRead = defineOperation({
  name: 'mdm-metadata-read',
  group: 'metadata',
  summary: 'Read the data model, an entity, a relationship or other metadata',
  description:
    'A data model can exceed the 6 MB of a response; over HTTP it is gzipped. `business-entities`, ' +
    '`source-systems` and `record-schema` return its most used parts. Relationships come in pages; `allPages` ' +
    'returns all of them in one `content`.',
  input: Type.Object(metadataQuery, metadataRules),
  output: MetadataOutput,
  readOnly: true,
  errors: ['MDM:CLIENT_ERROR', 'MDM:SERVER_ERROR', 'MDM:TIMEOUT', 'MDM:CONNECTIVITY'],
  narrowWith: 'resource',
  knownFrom: {
    relationships: fromVendor('Relationship API', '`RELATIONSHIP`: path, `name`, and pages of up to 1,000.'),
    paths: fromClients('The paths of the other resources.'),
  },
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
