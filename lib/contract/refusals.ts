import { ConnectorError, describeFaults, type ErrorType, type Fault } from '../core/errors.ts';
import type { Connector } from './operation.ts';

/** Each connector's error type for invalid input. */
const INPUT_ERROR: Readonly<Record<Connector, ErrorType>> = {
  mdm: 'MDM:CLIENT_ERROR',
  stream: 'STREAM:ARGUMENT',
};

/** Each connector's error type for a valid call that it refuses. */
const REFUSAL: Readonly<Record<Connector, ErrorType>> = {
  mdm: 'MDM:CLIENT_ERROR',
  stream: 'STREAM:COMMAND',
};

/**
 * The error for invalid input: 400 with the connector's type, naming every fault.
 *
 * @example
 * throw refuse('stream', [{ pointer: '/count', message: 'must be at least 1' }]);
 */
export function refuse(
  connector: Connector,
  faults: readonly Fault[],
  { hint }: { hint?: string } = {},
): ConnectorError {
  return new ConnectorError(INPUT_ERROR[connector], describeFaults(faults), { status: 400, faults, hint });
}

/**
 * The error for a call that the configuration does not allow: 403 with the connector's type, naming every fault.
 *
 * @example
 * throw forbid('stream', [{ pointer: '/key', message: 'is a stream key that configRef audit does not allow' }]);
 */
export function forbid(connector: Connector, faults: readonly Fault[]): ConnectorError {
  return new ConnectorError(REFUSAL[connector], describeFaults(faults), { status: 403, faults });
}

/**
 * The error for a response over 6 MB: 413 with the connector's type.
 *
 * @param narrowWith the parameter that makes the response smaller, if there is one
 */
export function tooLarge(connector: Connector, narrowWith?: string): ConnectorError {
  const advice = narrowWith ? `: narrow it with ${narrowWith}` : '';
  const message = `The response is over 6 MB${advice}`;
  return new ConnectorError(REFUSAL[connector], message, { status: 413, outcome: 'unknown' });
}
