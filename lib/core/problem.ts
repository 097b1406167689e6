import {
  ERROR_TYPES,
  isRetryable,
  type ConnectorError,
  type ErrorType,
  type Fault,
  type Outcome,
  type UpstreamError,
} from './errors.ts';

/** An error as callers see it: the body of an HTTP error (RFC 9457), and a part of a failed invocation. */
export interface Problem {
  readonly type: ErrorType;
  /** The same for every error of the type. */
  readonly title: string;
  /** HTTP status. */
  readonly status: number;
  /** What went wrong, for a person. */
  readonly detail: string;
  /** What most likely repairs it, for a person. */
  readonly hint?: string;
  /** Finds the call in the log. */
  readonly requestId: string;
  /** Whether the same call may succeed later, and can do no harm. */
  readonly retryable: boolean;
  /** What the call did: nothing (`not-sent`, `refused`), or perhaps everything (`unknown`). */
  readonly outcome: Outcome;
  /** How long the upstream asked callers to wait, in milliseconds. */
  readonly retryAfterMs?: number;
  /** HTTP status that the master data API returned. */
  readonly upstreamStatus?: number;
  /** The API's error code, the code of a connection fault, or the first word of a Redis error. */
  readonly upstreamCode?: string;
  /** What the API found wrong, part by part; at most 50. */
  readonly upstreamErrors?: readonly UpstreamError[];
  /** The upstream's request id, for its support team. */
  readonly upstreamRequestId?: string;
  /** Every fault of the input. */
  readonly errors?: readonly Fault[];
}

/** Lambda's report of a failed invocation. */
export interface FailedInvocation {
  readonly errorType?: string;
  readonly errorMessage?: string;
  readonly trace?: readonly string[];
}

/**
 * The problem that reports an error.
 *
 * @param isIdempotent whether the call may be carried out twice
 */
export function problemOf(error: ConnectorError, requestId: string, isIdempotent: boolean): Problem {
  return {
    type: error.type,
    title: ERROR_TYPES[error.type].title,
    status: error.status,
    detail: error.message,
    hint: error.hint,
    requestId,
    retryable: isRetryable(error, isIdempotent),
    outcome: error.outcome,
    retryAfterMs: error.retryAfterMs,
    upstreamStatus: error.upstreamStatus,
    upstreamCode: error.upstreamCode,
    upstreamErrors: error.upstreamErrors.length > 0 ? error.upstreamErrors : undefined,
    upstreamRequestId: error.upstreamRequestId,
    errors: error.faults.length > 0 ? error.faults : undefined,
  };
}

/**
 * Writes a problem as the stack of the error that an invocation fails with. Lambda transports only name, message and
 * stack of an error, the stack as a list of lines. The last line holds the problem's other members as JSON.
 */
export function writeTrace({ type, title: _title, detail, ...rest }: Problem): string {
  return `${type}: ${detail}\n${JSON.stringify(rest)}`;
}

/**
 * Reads the problem from a failed invocation. Undefined if the function did not fail with a `ConnectorError`.
 *
 * The type comes from the trace: serverless-offline reports `Error` as the type of every error.
 */
export function readTrace({ errorMessage = '', trace = [] }: FailedInvocation): Problem | undefined {
  const type = /^[A-Z]+:[A-Z_]+(?=: )/.exec(trace[0] ?? '')?.[0];
  if (type === undefined || !isErrorType(type)) return undefined;
  try {
    const rest = JSON.parse(trace.at(-1)!) as Omit<Problem, 'type' | 'title' | 'detail'>;
    return { ...rest, type, title: ERROR_TYPES[type].title, detail: errorMessage };
  } catch {
    return undefined;
  }
}

/** Whether an operation can raise an error of this type. */
export const isErrorType = (type: string): type is ErrorType => Object.hasOwn(ERROR_TYPES, type);
