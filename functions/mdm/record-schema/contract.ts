import Type from 'typebox';
import { defineOperation } from '../../../lib/contract/operation.ts';
import { BusinessEntity } from '../../../lib/contract/mdm-parameters.ts';

const OPERATIONS = ['master-read', 'search', 'source-read', 'source-submit'] as const;

/** JSON Schema of an entity's records. */
export const recordSchema = defineOperation({
  name: 'mdm-record-schema',
  summary: "JSON Schema of a business entity's records",
  description:
    "JSON Schema 2020-12, made from the tenant's data model: of the payload that `master-read`, `search` and " +
    '`source-read` answer, and of the `record` that `source-submit` takes (which its `validate` checks).',
  input: Type.Object({
    businessEntity: BusinessEntity,
    operation: Type.Enum([...OPERATIONS], { description: 'Whose records.' }),
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
