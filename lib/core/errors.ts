/** One thing that is wrong with an input. */
export interface Fault {
  /** JSON Pointer (RFC 6901) into the input; empty for the input as a whole. */
  readonly pointer: string;
  /** What is wrong, without the value. */
  readonly message: string;
}

/** HTTP status and title of each error type, where an error does not bring a status of its own. */
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
  /** HTTP status, where it is not the usual one of the type. */
  status?: number;
  /** HTTP status of the upstream API's response. */
  upstreamStatus?: number;
  /** Error code of the upstream: the API's `errorCode`, or the first word of a Redis error. */
  upstreamCode?: string;
  /** Request id of the upstream, for its support. */
  upstreamRequestId?: string;
  /** Whether the same call may succeed later. Default: by type and status. */
  retryable?: boolean;
  /** How long the upstream asked to wait (Retry-After), in milliseconds. */
  retryAfterMs?: number;
  /** Every fault of the input. */
  faults?: readonly Fault[];
  /** The original error; goes to the log, never into a response. */
  cause?: unknown;
}

/** Marks our errors across bundles: a function and each file beside it hold a copy of this class. */
const MARK = Symbol.for('mdm-stream-functions.ConnectorError');
const RETRYABLE_STATUS = new Set([408, 425, 429, 502, 503, 504]);

/**
 * The one error that operations throw on purpose. Anything else is a bug and becomes `CONNECTOR:INTERNAL`.
 *
 * The message is the description that callers see: it never holds a secret, a session or a record's key.
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
 * The error for a configuration that does not fit.
 *
 * @param subject what was checked: `The environment`
 * @example
 * throw configurationError('The environment', [{ pointer: 'LOG_LEVEL', message: 'must be one of debug, info' }]);
 */
export function configurationError(subject: string, faults: readonly Fault[]): ConnectorError {
  return new ConnectorError('CONNECTOR:CONFIGURATION', `${subject} does not fit: ${describeFaults(faults)}`, {
    faults,
  });
}

/** The description of several faults in one line: `2 faults: /key is required; /count must be integer`. */
export function describeFaults(faults: readonly Fault[]): string {
  const lines = faults.map(({ pointer, message }) => `${pointer || 'the input'} ${message}`);
  return lines.length === 1 ? lines[0]! : `${lines.length} faults: ${lines.join('; ')}`;
}
