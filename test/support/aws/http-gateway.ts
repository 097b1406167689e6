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
 */
export async function startHttpGateway(lambda: Pick<Lambda, 'invoke'>, identity?: Identity): Promise<HttpGateway> {
  const server = createServer((request, response) => {
    const serve = async () => {
      const path = new URL(request.url!, 'http://gateway').pathname;
      const body = await text(request);
      if (identity && !isSignedBy(identity, 'execute-api', request, body)) {
        return void response.writeHead(403, { 'content-type': 'application/json' }).end('{"message":"Forbidden"}');
      }
      const event = httpEvent(request.method!, path, body, request.headers as Record<string, string>);
      const reply = await lambda.invoke<APIGatewayProxyStructuredResultV2>(functionOf(request.method!, path), event);
      response.writeHead(reply.statusCode!, reply.headers as Record<string, string>);
      response.end(Buffer.from(reply.body ?? '', reply.isBase64Encoded ? 'base64' : 'utf8'));
    };
    serve().catch(() => response.destroy());
  });
  return listen(server);
}

function functionOf(method: string, path: string): string {
  if (method === 'GET' && /^\/(docs(\/.*)?)?$/.test(path)) return 'api-docs';
  const operation = functions.find((one) => one.operation?.route === path);
  return method === 'POST' && operation ? operation.name : 'api-openapi';
}
