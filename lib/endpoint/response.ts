import { gzipSync } from 'node:zlib';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import Negotiator from 'negotiator';
import { ConnectorError } from '../core/errors.ts';
import { SIZE_ERROR } from '../contract/connector.ts';
import type { Operation } from '../contract/operation.ts';

/** The most that Lambda hands back, in bytes. */
const MAX_RESPONSE_BYTES = 6 * 1024 * 1024;
/** No character takes more bytes than this once it stands in a JSON string inside JSON. */
const MAX_BYTES_A_CHARACTER = 7;
/** Shorter bodies are not worth compressing. */
const GZIP_FROM_BYTES = 1024;

type HttpResponse = APIGatewayProxyStructuredResultV2;

/**
 * The output of an operation as an HTTP answer: 204 for none, else JSON, or text where the contract says so and
 * `Accept` does not prefer JSON; gzipped where the client takes that.
 */
export function httpResponse(operation: Operation, event: APIGatewayProxyEventV2, output: unknown): HttpResponse {
  if (output === null || output === undefined) return { statusCode: 204 };
  const accept = new Negotiator({ headers: event.headers });
  const asText = operation.textOutput && accept.mediaType(['text/plain', 'application/json']) !== 'application/json';
  const answer = {
    statusCode: 200,
    headers: { 'content-type': asText ? 'text/plain; charset=utf-8' : 'application/json' },
    body: asText ? (output as string) : JSON.stringify(output),
  };
  return checkSize(operation, encode(answer, accept));
}

/**
 * Refuses an answer that Lambda would not hand back. Lambda writes the answer as JSON, so that is what is measured.
 *
 * @throws {ConnectorError} 413 of the connector's type, which names the parameter to narrow the answer with.
 */
export function checkSize<T>(operation: Operation, answer: T): T {
  if (operation.narrowWith && bytesOf(answer) > MAX_RESPONSE_BYTES) {
    throw new ConnectorError(
      SIZE_ERROR[operation.connector],
      `The response is over 6 MB: narrow it with ${operation.narrowWith}`,
      { status: 413 },
    );
  }
  return answer;
}

function encode(answer: { headers: Record<string, string>; body: string }, accept: Negotiator): HttpResponse {
  if (answer.body.length < GZIP_FROM_BYTES) return answer;
  const headers = { ...answer.headers, vary: 'accept-encoding' };
  if (accept.encoding(['gzip', 'identity']) !== 'gzip') return { ...answer, headers };
  return {
    ...answer,
    headers: { ...headers, 'content-encoding': 'gzip' },
    body: gzipSync(answer.body).toString('base64'),
    isBase64Encoded: true,
  };
}

function bytesOf(answer: unknown): number {
  const body = (answer as Partial<HttpResponse> | null)?.body;
  if (typeof body === 'string' && body.length * MAX_BYTES_A_CHARACTER < MAX_RESPONSE_BYTES) return body.length;
  return Buffer.byteLength(JSON.stringify(answer) ?? '');
}
