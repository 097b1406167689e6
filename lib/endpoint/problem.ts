import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { ConnectorError, ERROR_TYPES } from '../core/errors.ts';

/** What is thrown on purpose stays; everything else is a fault of ours, and its insides stay inside. */
export function mapError(error: unknown): ConnectorError {
  if (error instanceof ConnectorError) return error;
  return new ConnectorError('CONNECTOR:INTERNAL', 'Internal error; the log has its cause under this request id', {
    cause: error,
  });
}

/** The problem document (RFC 9457) of an error, as an HTTP answer. */
export function problemResponse(error: ConnectorError, requestId: string): APIGatewayProxyStructuredResultV2 {
  const { type, status, message, upstreamStatus, upstreamCode, upstreamRequestId, retryable, retryAfterMs, faults } =
    error;
  return {
    statusCode: status,
    headers: {
      'content-type': 'application/problem+json',
      ...(retryAfterMs === undefined ? {} : { 'retry-after': String(Math.ceil(retryAfterMs / 1000)) }),
    },
    body: JSON.stringify({
      type,
      title: ERROR_TYPES[type].title,
      status,
      detail: message,
      requestId,
      upstreamStatus,
      upstreamCode,
      upstreamRequestId,
      retryable,
      errors: faults.length > 0 ? faults : undefined,
    }),
  };
}

/** The error that a direct invocation fails with: Lambda makes `errorType` of its name, `errorMessage` of its message. */
export function failedInvocation({ type, message }: ConnectorError): Error {
  const error = new Error(message);
  error.name = type;
  error.stack = `${type}: ${message}`; // Lambda sends the stack along: ours says nothing of our insides
  return error;
}
