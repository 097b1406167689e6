import openapi from '../../../docs/openapi.json' with { type: 'json' };
import { deployedOperations } from '#lib/config/deployed-operations.ts';
import { serveDocuments } from '#lib/endpoint/documents.ts';
import { withOperations } from '#lib/endpoint/openapi.ts';

const deployed = withOperations(openapi, deployedOperations());

/** The document for callers of the API under this path, whose addresses begin with it. */
const textUnder = (base: string) =>
  JSON.stringify({ ...deployed, servers: [{ ...openapi.servers[0], url: base || '/' }] });

/** `GET /openapi.json`: the OpenAPI 3.1 document of what is deployed; for a route that it lacks, a problem. */
export const handler = serveDocuments(
  { '/openapi.json': { contentType: 'application/json', text: textUnder } },
  Object.keys(deployed.paths),
);
