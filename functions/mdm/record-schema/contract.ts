import Type from 'typebox';
import { fromClients, fromService } from '#lib/contract/known-from.ts';
import { defineOperation } from '#lib/contract/operation.ts';
import { BusinessEntity, RECORD_OPERATIONS } from '#lib/contract/parameters/mdm.ts';

export const recordSchema = defineOperation({
  name: 'mdm-record-schema',
  group: 'metadata',
  summary: "Read the JSON Schema of a business entity's records",
  description:
    "JSON Schema 2020-12, made from the tenant's data model. For `master-read`, `search` and `source-read` it " +
    'describes the payload of the response. For `source-submit` it describes the `record`, and its required ' +
    'fields are those of a new record; `validate` checks it.',
  input: Type.Object({
    businessEntity: BusinessEntity,
    operation: Type.Enum([...RECORD_OPERATIONS], { description: 'Operation whose records the schema describes.' }),
  }),
  output: Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    additionalProperties: true,
    description: 'The schema.',
  }),
  readOnly: true,
  errors: ['MDM:CLIENT_ERROR', 'MDM:SERVER_ERROR', 'MDM:TIMEOUT', 'MDM:CONNECTIVITY'],
  knownFrom: {
    model: fromClients('The path of the data model, and the kinds of its fields.'),
    decimals: fromService('A decimal may travel as text.'),
    leaves: fromClients('A leaf may have an empty `field`, and a field an `identifier` in place of a `name`.'),
  },
  example: {
    input: { businessEntity: 'c360.city', operation: 'source-submit' },
    output: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      title: 'City',
      type: 'object',
      properties: { name: { title: 'Name', type: 'string' } },
      required: ['name'],
      additionalProperties: false,
    },
  },
});
