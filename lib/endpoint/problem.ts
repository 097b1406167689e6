import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { ConnectorError } from '../core/errors.ts';
import { problemOf, writeTrace } from '../core/problem.ts';

/** Keeps errors thrown on purpose. Any other becomes `CONNECTOR:INTERNAL`, with its details hidden. */
export function mapError(error: unknown): ConnectorError {
  if (error instanceof ConnectorError) return error;
  return new ConnectorError('CONNECTOR:INTERNAL', 'Internal error; the log has its cause under this request id', {
    cause: error,
  });
}

/** An error as an HTTP response: a problem document (RFC 9457). */
export function problemResponse(error: ConnectorError, requestId: string): APIGatewayProxyStructuredResultV2 {
  const { status, retryAfterMs } = error;
  return {
    statusCode: status,
    headers: {
      'content-type': 'application/problem+json',
      ...(retryAfterMs === undefined ? {} : { 'retry-after': String(Math.ceil(retryAfterMs / 1000)) }),
    },
    body: JSON.stringify(problemOf(error, requestId)),
  };
}

/**
 * The error that a direct invocation fails with. Lambda takes `errorType` from its name, `errorMessage` from its
 * message and `trace` from its stack, which carries the rest of the problem instead of a stack trace.
 */
export function failedInvocation(error: ConnectorError, requestId: string): Error {
  const failure = new Error(error.message);
  failure.name = error.type;
  failure.stack = writeTrace(problemOf(error, requestId));
  return failure;
}
