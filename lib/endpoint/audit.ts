import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEventV2, APIGatewayProxyEventV2WithIAMAuthorizer, Context } from 'aws-lambda';
import { namedValues } from '../contract/named-values.ts';
import type { Operation } from '../contract/operation.ts';
import { ConnectorError } from '../core/errors.ts';
import { rootLog } from '../config/config.ts';
import type { Call } from './request.ts';

/**
 * Writes one line, at every log level, for each call of an operation that changed something, or may have: what it
 * changed, with which configuration, and over HTTP who called.
 */
export function audit(operation: Operation): MiddlewareObj<unknown, unknown, Error, Context> {
  return {
    after({ event, context }) {
      if (!operation.readOnly) writeChange(operation, event as Call, context, true);
    },
    onError({ event, context, error }) {
      const outcome = error instanceof ConnectorError ? error.outcome : 'unknown';
      if (!operation.readOnly && outcome === 'unknown') writeChange(operation, event as Call, context, 'unknown');
    },
  };
}

function writeChange(
  operation: Operation,
  { parameters, http }: Call,
  context: Context,
  changed: true | 'unknown',
): void {
  rootLog().always('changed', {
    requestId: context.awsRequestId,
    operation: operation.name,
    changed,
    configRef: (parameters as { configRef: string }).configRef,
    ...changedBy(operation, parameters),
    caller: http && callerOf(http),
  });
}

/** The streams, entities and method that a call names; never a path, because it may hold a record's key. */
function changedBy(operation: Operation, parameters: unknown): Record<string, string | string[]> {
  const changed: Record<string, string | string[]> = {};
  for (const { names, pointer, value } of namedValues(operation.input, parameters)) {
    const [, member = '', ...within] = pointer.split('/');
    const isListed = within.length > 0;
    if (names === 'stream' && isListed) changed.streams = [...(changed.streams ?? []), value];
    else if (names === 'stream' || names === 'shards') changed.stream = value;
    else if ((names === 'entity' || names === 'method') && !isListed) changed[member] = value;
  }
  return changed;
}

/** Who called over HTTP: the token's subject, or the ARN that signed; undefined without an authorizer. */
function callerOf(event: APIGatewayProxyEventV2): string | undefined {
  const { authorizer } = event.requestContext as Partial<
    APIGatewayProxyEventV2WithIAMAuthorizer['requestContext'] & { authorizer: { jwt?: { claims?: { sub?: unknown } } } }
  >;
  const caller = authorizer?.iam?.userArn ?? authorizer?.jwt?.claims?.sub;
  return typeof caller === 'string' ? caller : undefined;
}
