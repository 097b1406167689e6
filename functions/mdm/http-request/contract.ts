import Type from 'typebox';
import { defineOperation } from '../../../lib/contract/operation.ts';
import { ApiPath, noBodyWithGet, Query, RequestHeaders } from '../../../lib/contract/http-parameters.ts';
import { AnyJson, responseOf } from '../../../lib/contract/mdm-parameters.ts';

/** Send any request to the API. */
export const httpRequest = defineOperation({
  name: 'mdm-http-request',
  summary: 'Send a request to any path of the API, in the session of the connector',
  description:
    'Only GET, HEAD and OPTIONS are tried again after a passing fault. The answer is JSON or text where its ' +
    'content type says so, `null` where it is empty, else `{base64, contentType}`.',
  input: Type.Object(
    {
      method: Type.Enum(['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'], { description: 'HTTP method.' }),
      path: ApiPath,
      query: Type.Optional(Query),
      headers: Type.Optional(RequestHeaders),
      body: Type.Optional(AnyJson('Text is sent as it is, anything else as JSON.')),
    },
    noBodyWithGet,
  ),
  output: responseOf(AnyJson('Body of the answer.'), {
    reasonPhrase: Type.String({ description: 'Words after the status.' }),
    headers: Type.Unsafe<Record<string, string>>({
      type: 'object',
      additionalProperties: { type: 'string' },
      description: 'Response headers, lower-case, without cookies.',
    }),
  }),
  errors: ['MDM:CLIENT_ERROR', 'MDM:SERVER_ERROR', 'MDM:TIMEOUT', 'MDM:CONNECTIVITY'],
  narrowWith: 'query',
  example: {
    input: { method: 'GET', path: '/metadata/api/v2/objects/relationship' },
    output: {
      payload: [{ guid: 'c360.livesIn', name: 'Lives in', from: 'c360.person', to: 'c360.city' }],
      attributes: {
        reasonPhrase: 'OK',
        headers: { 'content-type': 'application/json' },
        statusCode: 200,
        requestId: 'req-21',
      },
    },
  },
});
