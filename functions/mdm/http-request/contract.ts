import Type from 'typebox';
import { fromNobody, fromVendor } from '#lib/contract/known-from.ts';
import { defineOperation } from '#lib/contract/operation.ts';
import {
  ApiPath,
  noBodyWithGet,
  Query,
  RequestBody,
  RequestHeaders,
  ThrowOnError,
} from '#lib/contract/parameters/http.ts';
import { AnyJson, responseOf } from '#lib/contract/parameters/mdm.ts';

export const httpRequest = defineOperation({
  name: 'mdm-http-request',
  group: 'records',
  summary: "Send a request to any path of the API, with the connector's session",
  description:
    'Only GET, HEAD and OPTIONS are retried after a temporary fault. The payload is JSON or text, by the content ' +
    'type of the response; `null` for an empty body; or `{base64, contentType}` for anything else. A request body ' +
    'may have that form too.',
  input: Type.Object(
    {
      method: Type.Enum(['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'], {
        description: 'HTTP method.',
        'x-names': 'method',
      }),
      path: ApiPath,
      query: Type.Optional(Query),
      headers: Type.Optional(RequestHeaders),
      body: Type.Optional(RequestBody),
      throwOnError: ThrowOnError,
    },
    noBodyWithGet,
  ),
  output: responseOf(AnyJson('Body of the response.'), {
    reasonPhrase: Type.String({ description: 'Reason phrase of the status line.' }),
    headers: Type.Unsafe<Record<string, string>>({
      type: 'object',
      additionalProperties: { type: 'string' },
      description: 'Response headers, lower-case, without cookies.',
    }),
  }),
  errors: ['MDM:CLIENT_ERROR', 'MDM:SERVER_ERROR', 'MDM:TIMEOUT', 'MDM:CONNECTIVITY'],
  idempotent: { with: 'method', of: ['GET', 'HEAD', 'OPTIONS'] },
  narrowWith: 'query',
  knownFrom: {
    session: fromVendor('Session IDs', 'The header of the session.'),
    paths: fromNobody('Every path is yours: nothing is added to what the API responds.'),
  },
  example: {
    input: { method: 'GET', path: '/metadata/api/v2/objects/referenceEntity/country' },
    output: {
      payload: { guid: 'country', name: 'country', storage: 'ref', field: [] },
      attributes: {
        reasonPhrase: 'OK',
        headers: { 'content-type': 'application/json' },
        statusCode: 200,
        requestId: 'req-21',
      },
    },
  },
});
