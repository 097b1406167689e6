import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { functions } from '#scripts/build/functions.ts';
import { httpEvent } from '#sandbox/aws/http-event.ts';
import type { Lambda } from '#sandbox/aws/lambda.ts';
import { isSignedBy, type Identity } from './signature.ts';
import { listen } from '#sandbox/network/listen.ts';

export interface HttpGateway {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * The HTTP API in front of packaged functions, on loopback: what API Gateway is to clients such as a browser.
 *
 * @param identity who alone may call it; a call that is not signed by it is answered by 403, as the IAM authorizer does
 * @param base path by which a custom domain maps to it, `/v1`
 */
export async function startHttpGateway(
  lambda: Pick<Lambda, 'invoke'>,
  identity?: Identity,
  base = '',
): Promise<HttpGateway> {
  const server = createServer((request, response) => {
    const serve = async () => {
      const path = new URL(request.url!, 'http://gateway').pathname;
      if (!path.startsWith(base)) return void response.writeHead(404).end('{"message":"Not Found"}');
      const body = await text(request);
      if (identity && !isSignedBy(identity, 'execute-api', request, body)) {
        return void response.writeHead(403, { 'content-type': 'application/json' }).end('{"message":"Forbidden"}');
      }
      const { name, ...route } = routeOf(request.method!, path.slice(base.length) || '/');
      const event = httpEvent(request.method!, path, body, request.headers as Record<string, string>);
      const reply = await lambda.invoke<APIGatewayProxyStructuredResultV2>(name, { ...event, ...route });
      response.writeHead(reply.statusCode!, reply.headers as Record<string, string>);
      response.end(Buffer.from(reply.body ?? '', reply.isBase64Encoded ? 'base64' : 'utf8'));
    };
    serve().catch(() => response.destroy());
  });
  return listen(server);
}

const ROUTES = functions.flatMap(({ name, operation, routes = [] }) =>
  (operation?.deploy.http ? [`POST ${operation.route}`] : routes).map((routeKey) => ({ name, routeKey })),
);

/** The route that a request takes: that of its path, or else the longest that `{proxy+}` makes match. */
function routeOf(method: string, path: string) {
  const wanted = `${method} ${path}`;
  const exact = ROUTES.find(({ routeKey }) => routeKey === wanted);
  if (exact) return exact;
  const open = ROUTES.map((route) => ({ ...route, start: route.routeKey.split('{proxy+}')[0]! }))
    .filter(({ routeKey, start }) => start !== routeKey && wanted.startsWith(start))
    .sort((one, other) => other.start.length - one.start.length);
  const [{ name, routeKey, start }] = open as [(typeof open)[number]];
  return { name, routeKey, pathParameters: { proxy: wanted.slice(start.length) } };
}
