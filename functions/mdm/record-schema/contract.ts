import Type from 'typebox';
import { defineOperation } from '../../../lib/contract/operation.ts';
import { BusinessEntity, RECORD_OPERATIONS } from '../../../lib/contract/parameters/mdm.ts';

/** JSON Schema of an entity's records. */
export const recordSchema = defineOperation({
  name: 'mdm-record-schema',
  group: 'metadata',
  summary: "JSON Schema of a business entity's records",
  description:
    "JSON Schema 2020-12, made from the tenant's data model: of the payload that `master-read`, `search` and " +
    '`source-read` give, and of the `record` that `source-submit` takes (which its `validate` checks; what it requires, ' +
    'it requires of a new record).',
  input: Type.Object({
    businessEntity: BusinessEntity,
    operation: Type.Enum([...RECORD_OPERATIONS], { description: 'Whose records.' }),
  }),
  output: Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    additionalProperties: true,
    description: 'The schema.',
  }),
  readOnly: true,
  errors: ['MDM:CLIENT_ERROR', 'MDM:SERVER_ERROR', 'MDM:TIMEOUT', 'MDM:CONNECTIVITY'],
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
