import Type from 'typebox';
import { codelistQuery, codelistRules } from '#lib/contract/parameters/codelist.ts';
import { listOutput } from '#lib/contract/parameters/mdm.ts';
import { fromVendor } from '#lib/contract/known-from.ts';
import { defineOperation } from '#lib/contract/operation.ts';

export const codelistRead = defineOperation({
  name: 'mdm-codelist-read',
  group: 'metadata',
  summary: 'Read the values of a code list',
  description:
    'All pages are read and returned as one. Give `code` for one value, or `modifiedSince` for what changed. For the ' +
    "list's own properties, such as its name and status, use `http-request`.",
  input: Type.Object(codelistQuery, codelistRules),
  output: listOutput('`content` lists the values, as the API returns them.'),
  readOnly: true,
  errors: ['MDM:CLIENT_ERROR', 'MDM:SERVER_ERROR', 'MDM:TIMEOUT', 'MDM:CONNECTIVITY'],
  narrowWith: 'code',
  knownFrom: {
    path: fromVendor('Reference 360: codelists', 'The paths, and one value by its code.'),
    export: fromVendor('Reference 360: export of code lists', 'The values by export, in pages of up to 10,000.'),
    changes: fromVendor('Reference 360: modified code values', 'Changes of the values of a list in a span of time.'),
  },
  example: {
    input: { id: 'gender' },
    output: {
      payload: { content: [{ Code: 'F', Name: 'Female' }] },
      attributes: { complete: true, statusCode: 200, requestId: 'req-41' },
    },
  },
});
