/** One fault of an input. */
export interface Fault {
  /** JSON Pointer (RFC 6901) into the input; empty for the whole input. */
  readonly pointer: string;
  /** What is wrong, without the value. */
  readonly message: string;
}

/** Title of each error type, and its HTTP status unless an error has another. */
export const ERROR_TYPES = {
  'MDM:CLIENT_ERROR': { status: 400, title: 'The request was refused' },
  'MDM:SERVER_ERROR': { status: 502, title: 'The master data API failed' },
  'MDM:TIMEOUT': { status: 504, title: 'The master data API did not answer in time' },
  'MDM:CONNECTIVITY': { status: 503, title: 'The master data API is out of reach' },
  'STREAM:ARGUMENT': { status: 400, title: 'An argument is not valid' },
  'STREAM:WRONG_TYPE': { status: 409, title: 'The key does not hold a stream' },
  'STREAM:COMMAND': { status: 422, title: 'The command was refused' },
  'CONNECTOR:CONFIGURATION': { status: 500, title: 'The connector configuration is not valid' },
  'CONNECTOR:INTERNAL': { status: 500, title: 'Internal error' },
} as const;

export type ErrorType = keyof typeof ERROR_TYPES;

export interface ErrorOptions {
  /** HTTP status, if it is not the type's usual one. */
  status?: number;
  /** HTTP status of the upstream API's response. */
  upstreamStatus?: number;
  /** Error code of the upstream: the API's `errorCode`, or the first word of a Redis error. */
  upstreamCode?: string;
  /** The upstream's request id, for its support team. */
  upstreamRequestId?: string;
  /** Whether the same call may succeed later. Default: by type and status. */
  retryable?: boolean;
  /** How long the upstream asked callers to wait (Retry-After), in milliseconds. */
  retryAfterMs?: number;
  /** Every fault of the input. */
  faults?: readonly Fault[];
  /** The original error, for the log; never in a response. */
  cause?: unknown;
}

/** Identifies these errors across bundles: a function and each file beside it have their own copy of this class. */
const MARK = Symbol.for('mdm-stream-functions.ConnectorError');
const RETRYABLE_STATUS = new Set([408, 425, 429, 502, 503, 504]);

/**
 * The error that operations throw on purpose. Any other error is a bug and becomes `CONNECTOR:INTERNAL`.
 *
 * Callers see the message, so it never contains a secret, a session or a record's key.
 *
 * @example
 * throw new ConnectorError('STREAM:COMMAND', 'The group does not exist', { status: 404, upstreamCode: 'NOGROUP' });
 */
export class ConnectorError extends Error {
  readonly [MARK] = true;
  readonly type: ErrorType;
  readonly status: number;
  readonly retryable: boolean;
  readonly upstreamStatus?: number;
  readonly upstreamCode?: string;
  readonly upstreamRequestId?: string;
  readonly retryAfterMs?: number;
  readonly faults: readonly Fault[];

  constructor(type: ErrorType, message: string, options: ErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.name = type;
    this.type = type;
    this.status = options.status ?? ERROR_TYPES[type].status;
    this.upstreamStatus = options.upstreamStatus;
    this.upstreamCode = options.upstreamCode;
    this.upstreamRequestId = options.upstreamRequestId;
    this.retryAfterMs = options.retryAfterMs;
    this.retryable = options.retryable ?? RETRYABLE_STATUS.has(options.upstreamStatus ?? this.status);
    this.faults = options.faults ?? [];
  }

  static override [Symbol.hasInstance](value: unknown): value is ConnectorError {
    return typeof value === 'object' && value !== null && MARK in value;
  }
}

/**
 * The error for an invalid configuration.
 *
 * @param subject what was checked: `The environment`
 * @example
 * throw configurationError('The environment', [{ pointer: 'LOG_LEVEL', message: 'must be one of debug, info' }]);
 */
export function configurationError(subject: string, faults: readonly Fault[]): ConnectorError {
  return new ConnectorError('CONNECTOR:CONFIGURATION', `${subject} is invalid: ${describeFaults(faults)}`, {
    faults,
  });
}

/** The description of several faults in one line: `2 faults: /key is required; /count must be an integer`. */
export function describeFaults(faults: readonly Fault[]): string {
  const lines = faults.map(({ pointer, message }) => `${pointer || 'the input'} ${message}`);
  return lines.length === 1 ? lines[0]! : `${lines.length} faults: ${lines.join('; ')}`;
}
