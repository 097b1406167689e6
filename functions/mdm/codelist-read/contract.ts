import Type from 'typebox';
import { AnyJson, ObjectInternalId, responseOf } from '#lib/contract/parameters/mdm.ts';
import { defineOperation } from '#lib/contract/operation.ts';

export const codelistRead = defineOperation({
  name: 'mdm-codelist-read',
  group: 'metadata',
  summary: 'Read the values of a code list',
  input: Type.Object({ id: { ...ObjectInternalId, description: 'Id of the code list.' } }),
  output: responseOf(AnyJson('The code list, as the API returns it.'), {}),
  readOnly: true,
  errors: ['MDM:CLIENT_ERROR', 'MDM:SERVER_ERROR', 'MDM:TIMEOUT', 'MDM:CONNECTIVITY'],
  example: {
    input: { id: 'gender' },
    output: {
      payload: { id: 'gender', codeValues: [{ Code: 'F', Name: 'Female' }] },
      attributes: { statusCode: 200, requestId: 'req-41' },
    },
  },
});
