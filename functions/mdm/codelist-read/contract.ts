import Type from 'typebox';
import { codelistQuery, codelistRules } from '#lib/contract/parameters/codelist.ts';
import { listOutput } from '#lib/contract/parameters/mdm.ts';
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
  example: {
    input: { id: 'gender' },
    output: {
      payload: { content: [{ Code: 'F', Name: 'Female' }] },
      attributes: { complete: true, statusCode: 200, requestId: 'req-41' },
    },
  },
});
