import { gzipSync } from 'node:zlib';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import Negotiator from 'negotiator';
import { tooLarge } from '../contract/refusals.ts';
import type { Operation } from '../contract/operation.ts';
import { MAX_RESPONSE_BYTES, WrittenOutput, type Travel } from '../invocation/output.ts';

/** Maximum bytes of a character in a JSON string inside JSON. */
const MAX_BYTES_A_CHARACTER = 7;
/** Shorter bodies are not worth compressing. */
const GZIP_FROM_BYTES = 1024;

type HttpEvent = Partial<APIGatewayProxyEventV2>;
type HttpResponse = APIGatewayProxyStructuredResultV2;

/**
 * The output of an operation as an HTTP response: 204 without an output; otherwise JSON, or text if the contract says
 * so and `Accept` does not prefer JSON; gzipped if the client accepts that.
 */
export function httpResponse(operation: Operation, event: APIGatewayProxyEventV2, output: unknown): HttpResponse {
  if (output === null || output === undefined) return { statusCode: 204 };
  const asText = operation.textOutput && !prefersJson(event);
  const head = {
    statusCode: 200,
    headers: { 'content-type': asText ? 'text/plain; charset=utf-8' : 'application/json' },
  };
  if (!(output instanceof WrittenOutput)) {
    const body = asText ? (output as string) : JSON.stringify(output);
    return checkSize(operation, encode({ ...head, body }, event));
  }
  const content = output.content as { text: string } | { gzip: Buffer };
  const response = 'gzip' in content ? gzipped(head, content.gzip) : encode({ ...head, body: content.text }, event);
  return output.isSureToFit ? response : checkSize(operation, response);
}

/** The output of a direct invocation. Lambda serializes it. */
export function directOutput(operation: Operation, output: unknown): unknown {
  if (!(output instanceof WrittenOutput)) return checkSize(operation, output);
  const { value } = output.content as { value: unknown };
  return output.isSureToFit ? value : checkSize(operation, value);
}

/** How the output of a call travels. Without an event, the invocation is direct. */
export function travelOf(event: APIGatewayProxyEventV2 | undefined): Travel {
  if (!event) return 'json';
  return acceptsGzip(event) ? 'gzip' : 'text';
}

/** Whether the caller prefers JSON to text. A caller that accepts anything gets text. */
function prefersJson(event: HttpEvent): boolean {
  const types = event.headers?.accept;
  if (!types || types === '*/*') return false; // skips parsing the header, which takes microseconds
  return negotiatorOf(event).mediaType(['text/plain', 'application/json']) === 'application/json';
}

function acceptsGzip(event: HttpEvent): boolean {
  if (!event.headers?.['accept-encoding']) return false;
  return negotiatorOf(event).encoding(['gzip', 'identity']) === 'gzip';
}

/** A handmade event may lack headers, or have headers that are not text. */
function negotiatorOf({ headers }: HttpEvent): Negotiator {
  const { accept, 'accept-encoding': encoding } = headers ?? {};
  return new Negotiator({ headers: { accept: textOf(accept), 'accept-encoding': textOf(encoding) } });
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined);

/**
 * Refuses a response that Lambda would not return. Measures the JSON that Lambda makes of it.
 *
 * @throws {ConnectorError} 413 with the connector's type; it names the parameter that makes the response smaller.
 */
function checkSize<T>(operation: Operation, response: T): T {
  if (bytesOf(response) > MAX_RESPONSE_BYTES) throw tooLarge(operation.connector, operation.narrowWith);
  return response;
}

type Head = { statusCode: number; headers: Record<string, string> };

function encode(response: Head & { body: string }, event: HttpEvent): HttpResponse {
  if (response.body.length < GZIP_FROM_BYTES) return response;
  if (acceptsGzip(event)) return gzipped(response, gzipSync(response.body));
  return { ...response, headers: { ...response.headers, vary: 'accept-encoding' } };
}

function gzipped({ statusCode, headers }: Head, gzip: Buffer): HttpResponse {
  return {
    statusCode,
    headers: { ...headers, vary: 'accept-encoding', 'content-encoding': 'gzip' },
    body: gzip.toString('base64'),
    isBase64Encoded: true,
  };
}

function bytesOf(response: unknown): number {
  const text = typeof response === 'string' ? response : (response as Partial<HttpResponse> | null)?.body;
  if (typeof text === 'string' && text.length * MAX_BYTES_A_CHARACTER < MAX_RESPONSE_BYTES) return text.length;
  return Buffer.byteLength(JSON.stringify(response) ?? '');
}
