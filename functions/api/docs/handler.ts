import { createHash } from 'node:crypto';
import { serveDocuments, type Document } from '#lib/endpoint/documents.ts';
import page from './page/index.html' with { type: 'text' };
import script from './page/main.bundle.js' with { type: 'text' };
import style from './page/style.css' with { type: 'text' };

/** Allows only scripts and styles of this origin, and calls to this API. */
const SECURITY = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; " +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};

/** A file whose name changes with its contents, so that browsers may cache it for ever. */
function asset(name: string, contentType: string, text: string): [path: string, document: Document] {
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 12);
  const headers = { 'cache-control': 'public, max-age=31536000, immutable', 'x-content-type-options': 'nosniff' };
  return [`/docs/${name.replace('.', `.${hash}.`)}`, { contentType, text, headers }];
}

const [scriptPath, scriptDocument] = asset('app.js', 'text/javascript; charset=utf-8', script);
const [stylePath, styleDocument] = asset('app.css', 'text/css; charset=utf-8', style);
const text = page.replace('{{script}}', scriptPath.slice(1)).replace('{{style}}', stylePath.slice(1));

/** `GET /docs`: the reference of the HTTP API, to read and to try; `/` and `/docs/` lead there. */
export const handler = serveDocuments({
  '/': { redirect: 'docs' },
  '/docs/': { redirect: '../docs' },
  '/docs': { contentType: 'text/html; charset=utf-8', text, headers: { 'cache-control': 'no-cache', ...SECURITY } },
  [scriptPath]: scriptDocument,
  [stylePath]: styleDocument,
});
