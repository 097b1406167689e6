import openapi from '../../../docs/openapi.json' with { type: 'json' };
import { serveDocuments } from '#lib/endpoint/documents.ts';

/** `GET /openapi.json`: the OpenAPI 3.1 document of the HTTP API; for a route that it lacks, a problem. */
export const handler = serveDocuments(
  { '/openapi.json': { contentType: 'application/json', text: JSON.stringify(openapi) } },
  Object.keys(openapi.paths),
);
