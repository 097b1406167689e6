import css from 'swagger-ui-dist/swagger-ui.css' with { type: 'text' };
import script from 'swagger-ui-dist/swagger-ui-bundle.js' with { type: 'text' };
import { serveDocuments } from '../../../lib/endpoint/documents.ts';
import page from './page.html' with { type: 'text' };

/** `GET /docs`: a page to try every operation on (Swagger UI over `/openapi.json`). */
export const handler = serveDocuments({
  '/docs': { contentType: 'text/html; charset=utf-8', text: page },
  '/docs/swagger-ui.css': { contentType: 'text/css; charset=utf-8', text: css },
  '/docs/swagger-ui-bundle.js': { contentType: 'text/javascript; charset=utf-8', text: script },
});
