import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { ConnectorError } from '../core/errors.ts';
import { writeTrace, type Problem } from '../core/problem.ts';

/** Keeps errors thrown on purpose. Any other becomes `CONNECTOR:INTERNAL`, with its details hidden. */
export function mapError(error: unknown): ConnectorError {
  if (error instanceof ConnectorError) return error;
  return new ConnectorError('CONNECTOR:INTERNAL', 'Internal error; the log has its cause under this request id', {
    cause: error,
  });
}

/** An error as an HTTP response: a problem document (RFC 9457). */
export function problemResponse(problem: Problem): APIGatewayProxyStructuredResultV2 {
  const { status, retryAfterMs } = problem;
  return {
    statusCode: status,
    headers: {
      'content-type': 'application/problem+json',
      ...(retryAfterMs !== undefined && { 'retry-after': String(Math.ceil(retryAfterMs / 1000)) }),
    },
    body: JSON.stringify(problem),
  };
}

/**
 * The error that a direct invocation fails with. Lambda takes `errorType` from its name, `errorMessage` from its
 * message and `trace` from its stack, which carries the rest of the problem instead of a stack trace.
 */
export function failedInvocation(problem: Problem): Error {
  const failure = new Error(problem.detail);
  failure.name = problem.type;
  failure.stack = writeTrace(problem);
  return failure;
}
