import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { refuse } from '../contract/refusals.ts';
import { parseExact } from '../core/json.ts';
import type { Operation } from '../contract/operation.ts';
import { validate } from '../contract/validation.ts';

/** A parsed event: the parameters, and the HTTP event that carried them, if any. */
export interface Call {
  readonly parameters: unknown;
  readonly http?: APIGatewayProxyEventV2;
}

/** Whether an event came through an HTTP API (payload format 2.0). Otherwise it is the parameters. */
export function isHttpEvent(event: unknown): event is APIGatewayProxyEventV2 {
  const { version, requestContext } = (event ?? {}) as Partial<APIGatewayProxyEventV2>;
  return version === '2.0' && requestContext?.http !== undefined;
}

/** The parameters in the body of an HTTP call; none without a body. */
export function readBody(operation: Operation, event: APIGatewayProxyEventV2): unknown {
  const body = event.body ?? ''; // a handmade event may have null
  try {
    const bytes = event.isBase64Encoded ? Buffer.from(body, 'base64') : undefined;
    const text = bytes ? new TextDecoder('utf-8', { fatal: true }).decode(bytes) : body;
    return text.trim() === '' ? {} : parseExact(text);
  } catch (error) {
    const message = error instanceof RangeError ? 'is nested too deeply' : 'must be JSON';
    throw refuse(operation.connector, [{ pointer: '', message }]);
  }
}

/**
 * Checks parameters against their contract, and fills in defaults.
 *
 * @throws {ConnectorError} `MDM:CLIENT_ERROR` or `STREAM:ARGUMENT`, with every fault.
 */
export function checkParameters(operation: Operation, parameters: unknown): void {
  const isObject =
    typeof parameters === 'object' && parameters !== null && !Array.isArray(parameters) && !JSON.isRawJSON(parameters);
  const faults = isObject ? validate(operation.input, parameters) : [{ pointer: '', message: 'must be a JSON object' }];
  if (faults.length > 0) throw refuse(operation.connector, faults);
}
