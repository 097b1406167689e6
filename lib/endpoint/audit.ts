import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEventV2, APIGatewayProxyEventV2WithIAMAuthorizer, Context } from 'aws-lambda';
import type { Operation } from '../contract/operation.ts';
import { ConnectorError } from '../core/errors.ts';
import { rootLog } from '../runtime/config.ts';
import type { Call } from './request.ts';

/** Parameters that name what a call changes: streams and entities, never a record's key or a value. */
interface Target {
  configRef: string;
  key?: string;
  stream?: string;
  streamWatermarks?: readonly { key: string }[];
  businessEntity?: string;
  relationship?: string;
  method?: string;
}

/**
 * Writes one line, at every log level, for each call of an operation that changed something, or may have: what it
 * changed, with which configuration, and over HTTP who called.
 */
export function audit(operation: Operation): MiddlewareObj<unknown, unknown, unknown, Context> {
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
  const { configRef, key, stream, streamWatermarks, businessEntity, relationship, method } = parameters as Target;
  rootLog().always('changed', {
    requestId: context.awsRequestId,
    operation: operation.name,
    changed,
    configRef,
    stream: key ?? stream,
    streams: streamWatermarks?.map(({ key }) => key),
    businessEntity,
    relationship,
    method,
    caller: http && callerOf(http),
  });
}

/** Who called over HTTP: the token's subject, or the ARN that signed; undefined without an authorizer. */
function callerOf(event: APIGatewayProxyEventV2): string | undefined {
  const { authorizer } = event.requestContext as Partial<
    APIGatewayProxyEventV2WithIAMAuthorizer['requestContext'] & { authorizer: { jwt?: { claims?: { sub?: unknown } } } }
  >;
  const caller = authorizer?.iam?.userArn ?? authorizer?.jwt?.claims?.sub;
  return typeof caller === 'string' ? caller : undefined;
}
