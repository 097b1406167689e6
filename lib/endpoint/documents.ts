import { gzipSync } from 'node:zlib';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import Negotiator from 'negotiator';

/** A document that a function serves as it is. */
export interface Document {
  readonly contentType: string;
  readonly text: string;
  /** Further response headers, lower-case. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Redirects to another path, relative to this one. */
export interface Redirect {
  readonly redirect: string;
}

type DocumentHandler = (event: APIGatewayProxyEventV2) => Promise<APIGatewayProxyStructuredResultV2>;

/**
 * Makes a handler that serves documents by their path, gzipped where the client accepts it; 404 for any other path.
 *
 * @example
 * export const handler = serveDocuments({
 *   '/robots.txt': { contentType: 'text/plain', text: 'User-agent: *' },
 *   '/robots': { redirect: 'robots.txt' },
 * });
 */
export function serveDocuments(documents: Readonly<Record<string, Document | Redirect>>): DocumentHandler {
  const compressed = new Map<string, string>();
  return async ({ rawPath, headers }): Promise<APIGatewayProxyStructuredResultV2> => {
    const document = Object.hasOwn(documents, rawPath) ? documents[rawPath] : undefined;
    if (!document) return { statusCode: 404, headers: { 'content-type': 'text/plain' }, body: 'Not found' };
    if ('redirect' in document) return { statusCode: 302, headers: { location: document.redirect } };
    const plain = {
      statusCode: 200,
      headers: { 'content-type': document.contentType, vary: 'accept-encoding', ...document.headers },
    };
    if (new Negotiator({ headers }).encoding(['gzip', 'identity']) !== 'gzip') return { ...plain, body: document.text };
    if (!compressed.has(rawPath)) compressed.set(rawPath, gzipSync(document.text).toString('base64'));
    return {
      ...plain,
      headers: { ...plain.headers, 'content-encoding': 'gzip' },
      body: compressed.get(rawPath),
      isBase64Encoded: true,
    };
  };
}
