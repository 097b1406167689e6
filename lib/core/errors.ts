/** One fault of an input. */
export interface Fault {
  /** JSON Pointer (RFC 6901) into the input; empty for the whole input. */
  readonly pointer: string;
  /** What is wrong, without the value. */
  readonly message: string;
}

/**
 * What a failed call did.
 * - `not-sent`: nothing; it never reached the master data API or Redis.
 * - `refused`: nothing; the other side answered that it did not carry it out.
 * - `unknown`: perhaps everything; no response says.
 */
export const OUTCOMES = ['not-sent', 'refused', 'unknown'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** Title of each error type, and its HTTP status and outcome unless an error has others. */
export const ERROR_TYPES = {
  'MDM:CLIENT_ERROR': { status: 400, outcome: 'not-sent', title: 'The request was refused' },
  'MDM:SERVER_ERROR': { status: 502, outcome: 'unknown', title: 'The master data API failed' },
  'MDM:TIMEOUT': { status: 504, outcome: 'unknown', title: 'The master data API did not answer in time' },
  'MDM:CONNECTIVITY': { status: 503, outcome: 'unknown', title: 'The master data API is out of reach' },
  'STREAM:ARGUMENT': { status: 400, outcome: 'not-sent', title: 'An argument is not valid' },
  'STREAM:WRONG_TYPE': { status: 409, outcome: 'refused', title: 'The key does not hold a stream' },
  'STREAM:COMMAND': { status: 422, outcome: 'refused', title: 'The command failed' },
  'CONNECTOR:CHECK': { status: 503, outcome: 'refused', title: 'A check failed' },
  'CONNECTOR:CONFIGURATION': { status: 500, outcome: 'not-sent', title: 'The connector configuration is not valid' },
  'CONNECTOR:INTERNAL': { status: 500, outcome: 'unknown', title: 'Internal error' },
} as const satisfies Record<string, { status: number; outcome: Outcome; title: string }>;

/** A fault that the upstream names, without values of the call. */
export interface UpstreamError {
  readonly code?: string;
  readonly field?: string;
  readonly message: string;
}

export type ErrorType = keyof typeof ERROR_TYPES;

export interface ErrorOptions {
  /** HTTP status, if it is not the type's usual one. */
  status?: number;
  /** HTTP status of the upstream API's response. */
  upstreamStatus?: number;
  /** Error code of the upstream: the API's `errorCode`, or the first word of a Redis error. */
  upstreamCode?: string;
  /** What the upstream found wrong, part by part. */
  upstreamErrors?: readonly UpstreamError[];
  /** The upstream's request id, for its support team. */
  upstreamRequestId?: string;
  /** What the call did. Default: by type. */
  outcome?: Outcome;
  /** Whether the condition may pass, so that the same call may succeed later. Default: by status. */
  temporary?: boolean;
  /** How long the upstream asked callers to wait (Retry-After), in milliseconds. */
  retryAfterMs?: number;
  /** What most likely repairs it, for a person. */
  hint?: string;
  /** Every fault of the input. */
  faults?: readonly Fault[];
  /** The original error, for the log; never in a response. */
  cause?: unknown;
}

/** Identifies these errors across bundles: a function and each file beside it have their own copy of this class. */
const MARK = Symbol.for('mdm-stream-functions.ConnectorError');
const TEMPORARY_STATUS = new Set([408, 425, 429, 502, 503, 504]);

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
  /** What the call did. */
  readonly outcome: Outcome;
  /**
   * Whether the condition may pass. Whether a caller may repeat the call also depends on its outcome: `isRetryable`.
   */
  readonly temporary: boolean;
  readonly upstreamStatus?: number;
  readonly upstreamCode?: string;
  readonly upstreamErrors: readonly UpstreamError[];
  readonly upstreamRequestId?: string;
  readonly retryAfterMs?: number;
  readonly hint?: string;
  readonly faults: readonly Fault[];

  constructor(type: ErrorType, message: string, options: ErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.name = type;
    this.type = type;
    this.status = options.status ?? ERROR_TYPES[type].status;
    this.outcome = options.outcome ?? ERROR_TYPES[type].outcome;
    this.upstreamStatus = options.upstreamStatus;
    this.upstreamCode = options.upstreamCode;
    this.upstreamErrors = options.upstreamErrors ?? [];
    this.upstreamRequestId = options.upstreamRequestId;
    this.retryAfterMs = options.retryAfterMs;
    this.hint = options.hint;
    this.temporary = options.temporary ?? TEMPORARY_STATUS.has(options.upstreamStatus ?? this.status);
    this.faults = options.faults ?? [];
  }

  static override [Symbol.hasInstance](value: unknown): value is ConnectorError {
    return typeof value === 'object' && value !== null && MARK in value;
  }
}

/** The same error of a call that did something else than the step that failed. */
export function withOutcome(error: unknown, outcome: Outcome): unknown {
  if (!(error instanceof ConnectorError) || error.outcome === outcome) return error;
  return new ConnectorError(error.type, error.message, { ...error, cause: error.cause, outcome });
}

/** What an error says of a call that was never sent, because a step before it failed. */
export const beforeSending = (error: unknown): unknown => withOutcome(error, 'not-sent');

/** The causes of an error, the nearest first, for the log. Each address of a host may fail for a reason of its own. */
export function causesOf({ cause }: Error): string[] {
  if (!(cause instanceof Error)) return [];
  if (cause instanceof AggregateError)
    return cause.errors.flatMap((one: unknown) => causesOf(new Error('', { cause: one })));
  const { name, message, code } = cause as Error & { code?: string };
  const isSaid = code === undefined || message.includes(code);
  return [`${name}: ${message}${isSaid ? '' : ` (${code})`}`, ...causesOf(cause)];
}

/** Whether repeating a call can do no harm, and may help. `isIdempotent` says whether it may be carried out twice. */
export function isRetryable({ temporary, outcome }: ConnectorError, isIdempotent: boolean): boolean {
  return temporary && (isIdempotent || outcome !== 'unknown');
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
