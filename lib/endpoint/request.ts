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
  if (faults.length === 0) return;
  const sender = isObject ? senderOf(parameters) : undefined;
  if (sender === undefined) throw refuse(operation.connector, faults);
  const message = `must be the parameters, and not an event of ${sender}`;
  throw refuse(operation.connector, [{ pointer: '', message }], { hint: HOW_TO_SEND });
}

const HOW_TO_SEND =
  'Send the parameters as the whole event, or through an HTTP API with payload format 2.0. ' +
  'Where neither can be, call from a Lambda function of yours.';

/** The members by which events of AWS show who sends them. */
interface ForeignEvent {
  readonly httpMethod?: unknown;
  readonly requestContext?: unknown;
  readonly Records?: readonly ({ readonly eventSource?: unknown; readonly EventSource?: unknown } | null)[] | null;
  readonly 'detail-type'?: unknown;
}

/** Who sent an event of AWS that a function was wired to by mistake; undefined for anything else. */
function senderOf(event: ForeignEvent): string | undefined {
  if (event.httpMethod && event.requestContext) return 'a REST API or a load balancer';
  if (event['detail-type']) return 'EventBridge';
  const record = event.Records?.[0];
  const source = record?.eventSource ?? record?.EventSource;
  return typeof source === 'string' && /^aws:\w+$/.test(source) ? source : undefined;
}
