import { posix } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import Negotiator from 'negotiator';

/** A document that a function serves unchanged. */
export interface Document {
  readonly contentType: string;
  /** The text, or a function of what stands before the API's own paths: `/v1` by the mapping of a custom domain. */
  readonly text: string | ((base: string) => string);
  /** Further response headers, lower-case. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Redirects to another path, relative to this one, which ends with a slash. */
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
  return async (event, { awsRequestId }): Promise<Response> => {
    const { rawPath, headers, requestContext } = event;
    const { method } = requestContext.http;
    const path = pathInApi(event);
    const document = Object.hasOwn(documents, path) ? documents[path] : undefined;
    const takes = document ? 'GET' : posts.includes(path) ? 'POST' : undefined;
    if (!document || !/^(GET|HEAD)$/.test(method)) return noSuchRoute(method, path, takes, awsRequestId);
    if ('redirect' in document) {
      const folder = rawPath.slice(rawPath.lastIndexOf('/') + 1); // `v1` of `/v1`, which the caller took for `/v1/`
      return { statusCode: 302, headers: { location: posix.join(folder, document.redirect) } };
    }
    const text = () => textOf(document, rawPath.endsWith(path) ? rawPath.slice(0, -path.length) : '');
    const plain = {
      statusCode: 200,
      headers: { 'content-type': document.contentType, vary: 'accept-encoding', ...document.headers },
    };
    if (new Negotiator({ headers }).encoding(['gzip', 'identity']) !== 'gzip') return { ...plain, body: text() };
    if (!compressed.has(rawPath)) compressed.set(rawPath, gzipSync(text()).toString('base64'));
    return {
      ...plain,
      headers: { ...plain.headers, 'content-encoding': 'gzip' },
      body: compressed.get(rawPath),
      isBase64Encoded: true,
    };
  };
}

/**
 * The path of a request within the API, by its route. With a custom domain, `rawPath` begins with the path of the API's
 * mapping.
 */
function pathInApi({ routeKey, rawPath, pathParameters }: APIGatewayProxyEventV2): string {
  const [, route] = routeKey.split(' '); // `GET /docs/{proxy+}`, or `$default` of a function URL
  if (route === undefined) return rawPath;
  if (route === '/') return route;
  const path = route.replace('{proxy+}', pathParameters?.proxy ?? '');
  const at = rawPath.lastIndexOf(path);
  return at < 0 ? path : rawPath.slice(at); // with the slash of `/docs/`, which the route lacks
}

const textOf = ({ text }: Document, base: string): string => (typeof text === 'string' ? text : text(base));

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
