import { readFileSync } from 'node:fs';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';

const captured = JSON.parse(
  readFileSync(new URL('../../events/captured/http-api-v2.json', import.meta.url), 'utf8'),
) as APIGatewayProxyEventV2;

/** An event as API Gateway's HTTP API sends it (payload format 2.0), made from a captured one. */
export function httpEvent(
  method: string,
  path: string,
  body?: string,
  headers: Record<string, string> = {},
): APIGatewayProxyEventV2 {
  return {
    ...captured,
    routeKey: `${method} ${path}`,
    rawPath: path,
    headers: { ...captured.headers, ...headers },
    requestContext: {
      ...captured.requestContext,
      routeKey: `${method} ${path}`,
      http: { ...captured.requestContext.http, method, path },
    },
    body,
    isBase64Encoded: false,
  };
}
