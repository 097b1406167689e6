import { gzipSync } from 'node:zlib';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import Negotiator from 'negotiator';

/** A document that a function serves unchanged. */
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

type Response = APIGatewayProxyStructuredResultV2;
type DocumentHandler = (event: APIGatewayProxyEventV2, context: Pick<Context, 'awsRequestId'>) => Promise<Response>;

/**
 * Makes a handler that serves documents by path, gzipped if the client accepts that; a problem for any other route.
 *
 * @param posts paths that exist, but take POST
 * @example
 * export const handler = serveDocuments({
 *   '/robots.txt': { contentType: 'text/plain', text: 'User-agent: *' },
 *   '/robots': { redirect: 'robots.txt' },
 * });
 */
export function serveDocuments(
  documents: Readonly<Record<string, Document | Redirect>>,
  posts: readonly string[] = [],
): DocumentHandler {
  const compressed = new Map<string, string>();
  return async ({ rawPath, headers, requestContext }, { awsRequestId }): Promise<Response> => {
    const { method } = requestContext.http;
    const document = Object.hasOwn(documents, rawPath) ? documents[rawPath] : undefined;
    const takes = document ? 'GET' : posts.includes(rawPath) ? 'POST' : undefined;
    if (!document || !/^(GET|HEAD)$/.test(method)) return noSuchRoute(method, rawPath, takes, awsRequestId);
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

/** A problem document, as for every other error; of no type of its own (RFC 9457), because no operation raised it. */
function noSuchRoute(method: string, path: string, takes: string | undefined, requestId: string): Response {
  const isKnown = takes !== undefined && takes !== method; // one that this deployment leaves out is not
  const status = isKnown ? 405 : 404;
  const title = isKnown ? 'Method Not Allowed' : 'Not Found';
  const detail = isKnown
    ? `${path} takes ${takes}, not ${method}`
    : `There is no ${method} ${path}: see GET /openapi.json`;
  return {
    statusCode: status,
    headers: { 'content-type': 'application/problem+json', ...(isKnown && { allow: takes }) },
    body: JSON.stringify({
      type: 'about:blank',
      title,
      status,
      detail,
      requestId,
      retryable: false,
      outcome: 'not-sent',
    }),
  };
}
